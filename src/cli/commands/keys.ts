import { type Command, type Given, textOption } from '../command.ts';
import { DIALECT_NAMES } from '../../features/contract/dialect.ts';
import type { Io } from '../io.ts';
import { json, table } from '../output/text.ts';
import { registry } from './input.ts';
import { type KnownKey, knownKeys } from './key-table.ts';

export const keys: Command = {
  name: 'keys',
  summary: 'List every annotation key that Ramjet knows, and whether it is honoured.',
  description: [
    'Keys are listed with the first prefix of their dialect. The prefixes mse.ingress.kubernetes.io and higress.io also read the keys of',
    'nginx.ingress.kubernetes.io, so these are listed under mse, too.',
  ].join('\n'),
  examples: [
    { says: 'Every key', line: 'ramjet keys' },
    { says: 'What is refused, and what to use instead', line: 'ramjet keys --status refused --output json' },
    { says: 'The vocabulary of MSE', line: 'ramjet keys --dialect mse' },
  ],
  arguments: [],
  options: [
    { long: 'dialect', value: 'DIALECT', choices: DIALECT_NAMES, summary: 'Only the keys of this dialect.' },
    { long: 'status', value: 'STATUS', choices: ['honoured', 'no-op', 'refused', 'pending'], summary: 'Only keys of this status.' },
    { long: 'output', short: 'o', value: 'FORMAT', choices: ['table', 'json'], default: 'table', summary: 'How to print.' },
  ],
  exits: { 2: 'The command line can not be used.' },
  json: [
    ['[].key', 'with the first prefix of the dialect'],
    ['[].dialect', '`nginx`, `mse`, `haptic` or `ramjet`'],
    ['[].feature', 'what it belongs to'],
    ['[].status', '`honoured`; `no-op`: accepted, without meaning here; `refused`: deliberately not honoured; `pending`: not yet'],
    ['[].reason, .instead', 'only if refused: why, and the way out'],
  ],
  async run(given: Given, io: Io): Promise<number> {
    const dialect = textOption(given, 'dialect');
    const status = textOption(given, 'status');
    const rows = knownKeys(registry()).filter(
      (row) => (dialect ?? row.dialect) === row.dialect && (status ?? row.status.is) === row.status.is,
    );
    if (textOption(given, 'output') === 'json') io.stdout.write(json(rows.map(keyView)));
    else if (rows.length === 0) io.stderr.write('No keys found.\n');
    else
      io.stdout.write(
        table(
          ['KEY', 'DIALECT', 'FEATURE', 'STATUS'],
          rows.map((row) => [row.key, row.dialect, row.entry.feature, row.status.is]),
        ),
      );
    return 0;
  },
};

/** One entry of `--output json`; the fields and their order are stable. */
function keyView({ key, dialect, entry, status }: KnownKey): unknown {
  const view = { key, dialect, feature: entry.feature, status: status.is };
  return status.is === 'refused' ? { ...view, reason: status.reason, instead: status.instead } : view;
}
