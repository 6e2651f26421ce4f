import { nearest } from '../../compiler/spelling.ts';
import { DIALECT_NAMES, DIALECTS, type Dialect } from '../../features/contract/dialect.ts';
import type { KeyStatus } from '../../features/contract/key.ts';
import { type Command, type Given, textOption } from '../command.ts';
import type { Io } from '../io.ts';
import { json, painter } from '../output/text.ts';
import { registry } from './input.ts';
import { type KnownKey, knownKeys } from './key-table.ts';
import { exampleValue } from './key-example.ts';

export const explain: Command = {
  name: 'explain',
  summary: 'Say what an annotation key means, in every dialect that has it.',
  description: 'KEY is a whole key, or what stands behind its /.',
  examples: [
    { says: 'One key', line: 'ramjet explain nginx.ingress.kubernetes.io/canary-weight' },
    { says: 'A key in all dialects', line: 'ramjet explain canary-weight' },
  ],
  arguments: [{ name: 'KEY', completes: 'keys' }],
  options: [{ long: 'output', short: 'o', value: 'FORMAT', choices: ['text', 'json'], default: 'text', summary: 'How to print.' }],
  exits: { 1: 'There is no such key.', 2: 'The command line can not be used.' },
  json: [
    ['[].key, .dialect, .feature', 'which key; one entry for each dialect that has it'],
    ['[].summary', 'what it does, in one sentence'],
    ['[].value, .default', 'what a value looks like, and what is in effect without the key'],
    ['[].badValue', 'what a value that can not be read does'],
    ['[].scope', 'what the value applies to'],
    ['[].status', 'as in `ramjet keys`'],
    ['[].statusReason, .instead', 'why it is refused or without meaning, and the way out; else null'],
    ['[].aliases', 'other spellings of the same key'],
    ['[].difference', 'where Ramjet does otherwise than the origin of the dialect; else null'],
    ['[].example', 'a line of YAML; null for a key without effect'],
  ],
  run,
};

async function run(given: Given, io: Io): Promise<number> {
  const [wanted = ''] = given.arguments;
  const known = knownKeys(registry());
  const found = matching(wanted, known);
  if (found.length === 0) {
    io.stderr.write(unknownKey(wanted, known));
    return 1;
  }
  const explained = found.map(explanation);
  io.stdout.write(textOption(given, 'output') === 'json' ? json(explained) : explained.map((one) => explanationText(one, io)).join('\n'));
  return 0;
}

/** A whole key means one dialect. A bare name means all; what MSE only shares with ingress-nginx is not said twice. */
function matching(wanted: string, known: readonly KnownKey[]): readonly KnownKey[] {
  const slash = wanted.lastIndexOf('/');
  const name = wanted.slice(slash + 1);
  if (slash < 0) return known.filter((row) => row.name === name && row.dialect === row.entry.dialect);
  const dialect = dialectOf(wanted.slice(0, slash));
  return known.filter((row) => row.name === name && row.dialect === dialect).map((row) => ({ ...row, key: wanted }));
}

function dialectOf(prefix: string): Dialect | undefined {
  return DIALECT_NAMES.find((name) => DIALECTS[name].prefixes.some((one) => one === prefix));
}

function unknownKey(wanted: string, known: readonly KnownKey[]): string {
  const slash = wanted.lastIndexOf('/');
  const prefix = wanted.slice(0, Math.max(0, slash));
  const near = nearest(wanted.slice(slash + 1), [...new Set(known.map((row) => row.name))]);
  const dialect = dialectOf(prefix);
  const key =
    near === undefined
      ? undefined
      : (known.find((row) => row.name === near && (dialect === undefined || row.dialect === dialect)) ??
        known.find((row) => row.name === near));
  const suggestion = key === undefined ? '' : `\nDid you mean this?\n\t${slash < 0 ? key.name : key.key}\n`;
  return `error: ${JSON.stringify(wanted)} is not a key that Ramjet knows\n${suggestion}`;
}

/** One entry of `--output json`. */
interface Explanation {
  readonly key: string;
  readonly dialect: Dialect;
  readonly feature: string;
  readonly summary: string;
  readonly value: string;
  readonly default: string;
  readonly badValue: string;
  readonly scope: string;
  readonly status: KeyStatus['is'];
  readonly statusReason: string | null;
  readonly instead: string | null;
  readonly aliases: readonly string[];
  readonly difference: string | null;
  readonly example: string | null;
}

function explanation({ key, name, dialect, entry, status }: KnownKey): Explanation {
  const { spec, feature } = entry;
  const example = exampleValue(spec);
  const others = [spec.name, ...(spec.aliases ?? [])].filter((one) => one !== name);
  return {
    key,
    dialect,
    feature,
    summary: spec.summary,
    value: spec.value,
    default: spec.default,
    badValue: BAD_VALUE[spec.onInvalid],
    scope: SCOPE[spec.scope],
    status: status.is,
    statusReason: status.is === 'refused' ? status.reason : status.is === 'no-op' ? status.why : null,
    instead: status.is === 'refused' ? status.instead : null,
    aliases: others,
    difference: spec.difference ?? null,
    example: status.is !== 'honoured' || example === undefined ? null : `${key}: ${JSON.stringify(example)}`,
  };
}

const BAD_VALUE = {
  default: 'is reported and read as absent',
  skip: 'is reported, and the feature is left out for the object',
  close: 'is reported, and the routes of the object answer 503 instead of being served unprotected',
} as const;

const SCOPE = {
  ingress: 'all rules of the object',
  host: 'everything on the hosts of the object',
  backend: 'the Services that the object names',
} as const;

function explanationText(one: Explanation, io: Io): string {
  const paint = painter(io);
  const honoured = one.status === 'honoured';
  const status = [one.status, ...(one.statusReason === null ? [] : [one.statusReason])].join(': ');
  const rows: readonly (readonly [string, string | null])[] = [
    ['Dialect', one.dialect],
    ['Feature', one.feature],
    ['Status', one.status === 'pending' ? 'pending: known and not yet honoured' : status],
    ['Instead', one.instead],
    ['Value', one.value],
    ['Default', one.default],
    ['Bad value', honoured ? one.badValue : null],
    ['Applies to', honoured ? one.scope : null],
    ['Also as', one.aliases.length === 0 ? null : one.aliases.join(', ')],
    ['Difference', one.difference],
    ['Example', one.example],
  ];
  const lines = rows.flatMap(([name, text]) => (text === null || text === '' ? [] : [`${`  ${name}:`.padEnd(14)}${text}`]));
  return `${paint('bold', one.key)}\n  ${one.summary}\n\n${lines.join('\n')}\n`;
}
