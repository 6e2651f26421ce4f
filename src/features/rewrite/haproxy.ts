import type { Phase } from '../../haproxy/phases.ts';
import type { RoutePart, Rule } from '../../haproxy/feature.ts';
import { field, hasField, plainField, row, rowTable } from '../../haproxy/rows.ts';
import { hap, type Token } from '../../haproxy/tokens.ts';
import { rewriteFields } from './haproxy-rows.ts';

const table = rowTable('rewrite', 'str', ['kind', 'before', 'skip', 'trim', 'after', 'to', 'pattern', 'flags', 'prefix', 'prefix_to']);

const found = hap`{ var(txn.rewrite) -m found }`;
const made = hap`{ var(txn.rw) -m found }`;
/** An escaped path is taken apart decoded and put together encoded, which only Lua can do. */
const escaped = hap`{ path -m sub % }`;

function isKind(kind: Token): Token {
  return hap`${found} { ${plainField(table, 'kind')} -m str ${kind} }`;
}

function rules(phase: Phase, lines: readonly Token[]): readonly Rule[] {
  return lines.map((line) => ({ phase, line: hap`http-request ${line}` }));
}

/** Most rewrites cut off the start of the path and put another in its place: that needs no regular expression. */
const rewrite: RoutePart<'rewrite'> = {
  level: 'route',
  feature: 'rewrite',
  tables: [table],
  lua: [new URL('./rewrite.lua', import.meta.url)],
  rows: (policy, route) => {
    const { path, prefix } = policy;
    const fields = path === undefined ? undefined : rewriteFields(path, route);
    const pattern = route.path.type === 'regex' ? `^(?:${route.path.pattern})` : '';
    const flags = route.path.type === 'regex' && !route.path.caseSensitive ? 'i' : '';
    const header = prefix === undefined ? {} : prefix.includes('$') ? { prefix_to: prefix, pattern, flags } : { prefix };
    return [row(table, route.id, { ...header, ...fields })];
  },
  rules: ({ inUse, lookup }) => [
    ...rules('redirect', [
      hap`set-var(txn.rewrite) ${lookup(table)} if ${inUse}`,
      hap`set-var(txn.rw) lua.ramjet_rewrite if ${isKind(hap`redirect`)}`,
      hap`set-var-fmt(txn.rw) %[var(txn.rw)]?%[query] if ${made} { query -m len gt 0 }`,
      hap`redirect location %[var(txn.rw)] code 302 if ${made} { var(txn.rw) -m beg http }`,
    ]),
    ...rules('rewrite', [
      hap`set-header X-Forwarded-Prefix %[${field(table, 'prefix')}] if ${found} ${hasField(table, 'prefix')}`,
      hap`set-header X-Forwarded-Prefix %[lua.ramjet_forwarded_prefix] if ${found} ${hasField(table, 'prefix_to')}`,
      hap`set-var(txn.rw) ${field(table, 'before')} if ${isKind(hap`constant`)}`,
      hap`set-var(txn.rw_skip) ${plainField(table, 'skip')} if ${isKind(hap`part`)} !${escaped}`,
      hap`set-var(txn.rw_rest) var(txn.p),bytes(txn.rw_skip) if { var(txn.rw_skip) -m found }`,
      hap`set-var(txn.rw_rest) var(txn.rw_rest),ltrim(/) if { var(txn.rw_skip) -m found } ${hasField(table, 'trim')}`,
      hap`set-var-fmt(txn.rw) %[${field(table, 'before')}]%[var(txn.rw_rest)]%[${field(table, 'after')}] if { var(txn.rw_skip) -m found }`,
      hap`set-var(txn.rw) lua.ramjet_rewrite if ${isKind(hap`part`)} ${escaped}`,
      hap`set-var(txn.rw) lua.ramjet_rewrite if ${isKind(hap`template`)}`,
      // Nothing was found: the path stays as it came.
      hap`unset-var(txn.rw) if ${isKind(hap`template`)} { var(txn.rw) -m len 0 }`,
      hap`set-path %[var(txn.rw)] if ${made} { var(txn.rw) -m beg / }`,
      hap`set-path /%[var(txn.rw)] if ${made} !{ var(txn.rw) -m beg / }`,
    ]),
  ],
};

export const parts = [rewrite] as const;
