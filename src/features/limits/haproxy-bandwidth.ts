import type { RoutePart, Rule, Section } from '../../haproxy/feature.ts';
import { clientAddressLines } from '../../haproxy/networks.ts';
import { hasField, plainField, row, rowTable } from '../../haproxy/rows.ts';
import { hap, type Token, word } from '../../haproxy/tokens.ts';
import type { BandwidthPolicy } from './policy.ts';

const table = rowTable('bandwidth', 'str', ['download', 'upload', 'shared']);

interface Direction {
  readonly name: 'download' | 'upload';
  readonly filter: Token;
  readonly rate: Token;
}

const DIRECTIONS: readonly Direction[] = [
  { name: 'download', filter: hap`bwlim-out`, rate: hap`bytes_out_rate(1s)` },
  { name: 'upload', filter: hap`bwlim-in`, rate: hap`bytes_in_rate(1s)` },
];

/** Limits of single bodies are data. A limit that bodies share is written into its filter: a variant for each value. */
export const bandwidth: RoutePart<'bandwidth'> = {
  level: 'route',
  feature: 'bandwidth',
  tables: [table],
  rows: (policy, route) => [
    row(table, route.id, {
      download: policy.download ?? '',
      upload: policy.upload ?? '',
      shared: policy.scope === 'stream' ? '' : policy.scope,
    }),
  ],
  variants,
  rules({ inUse, lookup, variants: used }) {
    return [
      ...used.map((name): Rule => ({ phase: 'frontend', line: filterLine(name) })),
      { phase: 'limit', line: hap`http-request set-var(txn.bandwidth) ${lookup(table)} if ${inUse}` },
      ...(used.some((name) => name.includes('.')) ? keyLines(inUse) : []).map((line): Rule => ({ phase: 'limit', line })),
      ...used.map((name): Rule => ({ phase: 'limit', line: useLine(name, inUse) })),
    ];
  },
  sections: ({ variants: used }) => DIRECTIONS.filter(({ name }) => used.some((one) => one.startsWith(`${name}.`))).map(rateTable),
};

/** `download` for bodies on their own, `download.100000` for a shared limit. */
function variants(policy: BandwidthPolicy): readonly string[] {
  return DIRECTIONS.flatMap(({ name }) => {
    const bytes = policy[name];
    if (bytes === undefined) return [];
    return [policy.scope === 'stream' ? name : `${name}.${bytes}`];
  });
}

function filterLine(variant: string): Token {
  const [direction, bytes] = parse(variant);
  const name = word(`bw-${variant}`);
  if (bytes === undefined) return hap`filter ${direction.filter} ${name} default-limit 4294967295 default-period 1s`;
  return hap`filter ${direction.filter} ${name} limit ${word(bytes)} key var(txn.bwk) table bw-${word(direction.name)}`;
}

function useLine(variant: string, inUse: Token): Token {
  const [direction, bytes] = parse(variant);
  const name = word(`bw-${variant}`);
  const shared = hasField(table, 'shared');
  const limit = plainField(table, direction.name);
  if (bytes === undefined)
    return hap`http-request set-bandwidth-limit ${name} limit ${limit} if ${inUse} ${hasField(table, direction.name)} !${shared}`;
  return hap`http-request set-bandwidth-limit ${name} if ${inUse} ${shared} { ${limit} -m str ${word(bytes)} }`;
}

function keyLines(inUse: Token): readonly Token[] {
  const shared = hap`${inUse} ${hasField(table, 'shared')}`;
  return [
    ...clientAddressLines(shared),
    hap`http-request set-var(txn.bwk) var(txn.rid) if ${shared}`,
    hap`http-request set-var(txn.bwk) var(txn.rid),concat(@,txn.ip) if ${shared} { ${plainField(table, 'shared')} -m str client }`,
  ];
}

function rateTable({ name, rate }: Direction): Section {
  return { head: hap`backend bw-${word(name)} from base`, lines: [hap`stick-table type string len 48 size 100k expire 60s store ${rate}`] };
}

function parse(variant: string): readonly [Direction, string | undefined] {
  const [name, bytes] = variant.split('.');
  const direction = DIRECTIONS.find((one) => one.name === name);
  if (direction === undefined) throw new Error(`not a bandwidth variant: ${variant}`);
  return [direction, bytes];
}
