import type { RoutePart, Rule } from '../../haproxy/feature.ts';
import { plainField, row, rowTable, type RowTable } from '../../haproxy/rows.ts';
import { hap, type Token, word } from '../../haproxy/tokens.ts';
import type { BodySizePolicy } from './policy.ts';

const FIELDS = ['limit', 'undeclared'] as const;

const table = rowTable('bodysize', 'str', FIELDS);

/** Holds one row, `*`: the limit of all routes without one of their own. */
const defaults = rowTable('bodydefault', 'str', FIELDS);

const declared = hap`{ req.hdr(content-length) -m found }`;

/** Set on requests that have, or may have, a body of unknown length. */
const open = hap`{ var(txn.bodyopen) -m bool }`;

/**
 * The default is not a flag of each route, since nearly all routes have it: requests that declare no
 * body pay one condition for it, those that do one look-up.
 */
const bodySize: RoutePart<'body-size'> = {
  level: 'route',
  feature: 'body-size',
  tables: [table, defaults],
  lua: [new URL('./body-size.lua', import.meta.url)],
  isCommon: (policy) => policy.isDefault,
  rows: (policy, route) => [row(table, route.id, fields(policy))],
  shared: (policy) => (policy.isDefault ? [{ key: `${defaults.name}/*`, rows: () => [row(defaults, '*', fields(policy))] }] : []),
  variants: ({ undeclared }) => (undeclared === 'pass' ? [] : [undeclared]),
  rules({ inUse, lookup, file, variants }) {
    const concerned = variants.length === 0 ? [declared] : [declared, open];
    const common = [
      ...(variants.length === 0 ? [] : openLines()),
      ...concerned.map((one) => hap`http-request set-var(txn.bodydefault) str(*),map_str(${file(defaults)}) if !${inUse} ${one}`),
      ...limitLines(defaults, variants),
    ];
    const own = [hap`http-request set-var(txn.bodysize) ${lookup(table)} if ${inUse}`, ...limitLines(table, variants)];
    return [
      ...(variants.includes('count') ? [{ phase: 'frontend', line: hap`filter lua.ramjet-body-size` } as const] : []),
      ...common.map((line): Rule => ({ phase: 'common', line })),
      ...own.map((line): Rule => ({ phase: 'validate', line })),
    ];
  },
};

/**
 * HTTP/1 says by a header that a body comes in chunks. HTTP/2 and HTTP/3 say nothing: any request without a length may
 * bring one. A WebSocket over them is known by the upgrade that HAProxy writes; what it carries is no body.
 */
function openLines(): readonly Token[] {
  return [
    hap`http-request set-var(txn.bodyopen) bool(true) if { req.hdr(transfer-encoding) -m found }`,
    hap`http-request set-var(txn.bodyopen) bool(true) if !{ req.ver 1.0 1.1 } !${declared} !{ req.hdr(upgrade) -m found }`,
  ];
}

/** An absent limit is no limit. */
function fields({ limit, undeclared }: BodySizePolicy) {
  return limit === 0 ? {} : { limit, undeclared };
}

function limitLines(from: RowTable<(typeof FIELDS)[number]>, variants: readonly string[]): readonly Token[] {
  const limit = plainField(from, 'limit');
  const limited = hap`{ var(txn.${word(from.name)}) -m found } { ${limit} -m len gt 0 }`;
  const mode = plainField(from, 'undeclared');
  return [
    hap`http-request set-var(txn.bodylimit) ${limit} if ${limited}`,
    hap`http-request return status 413 if ${limited} ${declared} { req.body_size,sub(txn.bodylimit) gt 0 }`,
    ...(variants.includes('refuse') ? refuseLines(hap`${limited} { ${mode} -m str refuse }`) : []),
    // Only bodies that are counted keep the variable, which is what the filter goes by.
    ...(variants.includes('count')
      ? [hap`http-request unset-var(txn.bodylimit) if ${limited} !${open} || ${limited} !{ ${mode} -m str count }`]
      : []),
  ];
}

/** Without the header of HTTP/1 only its first byte, or the end of the request, tells whether there is a body. */
function refuseLines(limited: Token): readonly Token[] {
  return [
    hap`http-request return status 411 if ${limited} { req.hdr(transfer-encoding) -m found }`,
    hap`http-request wait-for-body time 10s at-least 1 if ${limited} ${open}`,
    hap`http-request return status 411 if ${limited} ${open} { req.body_len gt 0 }`,
  ];
}

export const parts = [bodySize] as const;
