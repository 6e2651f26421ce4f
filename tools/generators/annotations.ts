import { type KnownKey, knownKeys } from '../../src/cli/commands/key-table.ts';
import { CATALOGUE } from '../../src/features/catalogue.ts';
import { DIALECT_NAMES, DIALECTS, type Dialect } from '../../src/features/contract/dialect.ts';
import type { KeyStatus } from '../../src/features/contract/key.ts';
import { registryOf } from '../../src/features/contract/registry.ts';
import { FEATURES } from '../../src/features/features.generated.ts';
import { anchor, code, table } from '../markdown.ts';

const ORIGINS: Readonly<Record<Dialect, string>> = {
  nginx: 'What ingress-nginx documents.',
  mse: 'What Alibaba MSE and Higress document. Every key of the nginx page may be written with these prefixes, too; a valid `nginx.ingress.kubernetes.io` value wins.',
  haptic: 'What HAPTIC documents.',
  ramjet: 'Keys of Ramjet itself.',
};

const BAD_VALUE = {
  default: 'reported, and read as absent',
  skip: 'reported, and the feature is left out for the object',
  close: 'reported, and the routes of the object answer 503',
} as const;

const SCOPE = {
  ingress: 'all rules of the object',
  host: 'everything on the hosts of the object',
  backend: 'the Services that the object names',
} as const;

/** A page of every dialect: each key once, by feature. */
export function generate(): ReadonlyMap<string, string> {
  const known = knownKeys(registryOf(FEATURES, CATALOGUE));
  return new Map(DIALECT_NAMES.map((dialect) => [`docs/reference/annotations/${dialect}.md`, page(dialect, ownKeys(dialect, known))]));
}

/** Without aliases, which stand with their key, and without what MSE shares with ingress-nginx. */
function ownKeys(dialect: Dialect, known: readonly KnownKey[]): readonly KnownKey[] {
  return known.filter((key) => key.dialect === dialect && key.entry.dialect === dialect && key.name === key.entry.spec.name);
}

function page(dialect: Dialect, keys: readonly KnownKey[]): string {
  const features = [...new Set(keys.map((key) => key.entry.feature))].sort();
  const of = (feature: string) => keys.filter((key) => key.entry.feature === feature);
  return [
    '<!-- Generated from the declarations in src/features/ by `npm run generate`. -->',
    '',
    `# Annotations: ${dialect}`,
    '',
    `${ORIGINS[dialect]} Prefix: ${DIALECTS[dialect].prefixes.map(code).join(' or ')}.`,
    '',
    'Keys that are not marked are honoured. *No-op*: accepted, without meaning in this data plane. *Refused*: known and',
    'deliberately not honoured. *Pending*: known and not yet honoured. In each of these cases the object is told.',
    '',
    ...table(
      ['Feature', 'Keys'],
      features.map((feature) => [`[${feature}](#${anchor(feature)})`, of(feature).map(indexEntry).join(', ')]),
    ),
    '',
    ...features.flatMap((feature) => [`## ${feature}`, '', ...of(feature).flatMap(keySection)]),
  ].join('\n');
}

function indexEntry({ name, status }: KnownKey): string {
  return status.is === 'honoured' ? code(name) : `${code(name)} (${status.is})`;
}

function keySection({ name, entry, status }: KnownKey): readonly string[] {
  const { spec } = entry;
  const honoured = status.is === 'honoured';
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Status', statusText(status)],
    ['Value', spec.value],
    ['Default', spec.default],
    ['Bad value', honoured ? BAD_VALUE[spec.onInvalid] : undefined],
    ['Applies to', honoured ? SCOPE[spec.scope] : undefined],
    ['Also as', spec.aliases?.map(code).join(', ')],
    ['Difference', spec.difference],
  ];
  const lines = facts.flatMap(([head, text]) =>
    text === undefined || text === '' ? [] : [`- **${head}**: ${text.replaceAll(/\s+/g, ' ')}`],
  );
  return [`### ${name}`, '', spec.summary, '', ...lines, ''];
}

function statusText(status: KeyStatus): string | undefined {
  switch (status.is) {
    case 'honoured':
      return undefined;
    case 'no-op':
      return `no-op: ${status.why}.`;
    case 'refused':
      return `refused: ${status.reason}. ${status.instead}`;
    case 'pending':
      return 'pending: known and not yet honoured.';
  }
}
