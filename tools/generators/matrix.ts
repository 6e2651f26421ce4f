import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KnownKey, knownKeys } from '../../src/cli/commands/key-table.ts';
import { CATALOGUE } from '../../src/features/catalogue.ts';
import { DIALECT_NAMES, type Dialect } from '../../src/features/contract/dialect.ts';
import type { KeyStatus } from '../../src/features/contract/key.ts';
import { registryOf } from '../../src/features/contract/registry.ts';
import { FEATURES } from '../../src/features/features.generated.ts';
import { table, withBlock } from '../markdown.ts';

const STATES: readonly KeyStatus['is'][] = ['honoured', 'no-op', 'refused', 'pending'];

const MEANING = [
  'Numbers of keys. A plain number is honoured; *no-op* is accepted and has no meaning in this data plane; *refused* is',
  'deliberately not honoured; *pending* is known and not yet honoured. The column mse counts the keys it shares with nginx, too.',
];

/** Which feature is there in which dialect, as a page and as a block of the README. */
export function generate(root: string): ReadonlyMap<string, string> {
  const known = knownKeys(registryOf(FEATURES, CATALOGUE)).filter((key) => key.name === key.entry.spec.name);
  const names = [...new Set(known.map((key) => key.entry.feature))].sort();
  const whole = (feature: string) => known.some((key) => key.entry.feature === feature && key.status.is !== 'pending');
  const rows = [...names.filter(whole), ...names.filter((name) => !whole(name))].map((feature) => row(feature, known, feature));
  const lines = [...MEANING, '', ...table(['Feature', ...DIALECT_NAMES], [...rows, row('**all**', known)])];
  const page = [
    '<!-- Generated from the declarations in src/features/ by `npm run generate`. -->',
    '',
    '# Support matrix',
    '',
    ...lines,
    '',
  ];
  const readme = withBlock(readFileSync(join(root, 'README.md'), 'utf8'), 'support-matrix', lines);
  return new Map([
    ['docs/reference/support-matrix.md', page.join('\n')],
    ['README.md', readme],
  ]);
}

function row(title: string, known: readonly KnownKey[], feature?: string): readonly string[] {
  const chosen = feature === undefined ? known : known.filter((key) => key.entry.feature === feature);
  return [title, ...DIALECT_NAMES.map((dialect) => counts(chosen, dialect))];
}

function counts(keys: readonly KnownKey[], dialect: Dialect): string {
  const parts = STATES.flatMap((state) => {
    const count = keys.filter((key) => key.dialect === dialect && key.status.is === state).length;
    return count === 0 ? [] : [state === 'honoured' ? String(count) : `${count} ${state}`];
  });
  return parts.join(', ');
}
