import type { RoutePart, Rule } from '../../haproxy/feature.ts';
import { plainField, row, rowTable, type RowTable } from '../../haproxy/rows.ts';
import { hap, type Token, word } from '../../haproxy/tokens.ts';
import type { BodySizePolicy } from './policy.ts';

const FIELDS = ['limit', 'undeclared'] as const;

const table = rowTable('bodysize', 'str', FIELDS);

/** Holds one row, `*`: the limit of all routes without one of their own. */
const defaults = rowTable('bodydefault', 'str', FIELDS);

/** HAProxy writes this header itself where a body of HTTP/2 or HTTP/3 has no length. */
const undeclared = hap`{ req.hdr(transfer-encoding) -m found }`;

/**
 * The default is not a flag of each route, since nearly all routes have it: requests without a body pay
 * one comparison for it, those with a body one look-up.
 */
export const bodySize: RoutePart<'body-size'> = {
  level: 'route',
  feature: 'body-size',
  tables: [table, defaults],
  lua: [new URL('./body-size.lua', import.meta.url)],
  isCommon: (policy) => policy.isDefault,
  rows: (policy, route) => [row(table, route.id, fields(policy))],
  shared: (policy) => (policy.isDefault ? [{ key: `${defaults.name}/*`, rows: () => [row(defaults, '*', fields(policy))] }] : []),
  variants: ({ undeclared }) => (undeclared === 'pass' ? [] : [undeclared]),
  rules({ inUse, lookup, file, variants }) {
    const hasBody = variants.length === 0 ? [hap`{ req.body_size gt 0 }`] : [hap`{ req.body_size gt 0 }`, undeclared];
    return [
      ...(variants.includes('count') ? [{ phase: 'frontend', line: hap`filter lua.ramjet-body-size` } as const] : []),
      ...hasBody.map((body): Rule => ({ phase: 'common', line: hap`http-request set-var(txn.bodydefault) str(*),map_str(${file(defaults)}) if !${inUse} ${body}` })),
      ...limitLines(defaults, variants).map((line): Rule => ({ phase: 'common', line })),
      { phase: 'validate', line: hap`http-request set-var(txn.bodysize) ${lookup(table)} if ${inUse}` },
      ...limitLines(table, variants).map((line): Rule => ({ phase: 'validate', line })),
    ];
  },
};

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
    hap`http-request return status 413 if ${limited} !${undeclared} { req.body_size,sub(txn.bodylimit) gt 0 }`,
    ...(variants.includes('refuse') ? [hap`http-request return status 411 if ${limited} ${undeclared} { ${mode} -m str refuse }`] : []),
    // Only bodies that are counted keep the variable, which is what the filter goes by.
    ...(variants.includes('count') ? [hap`http-request unset-var(txn.bodylimit) if ${limited} !${undeclared} || ${limited} !{ ${mode} -m str count }`] : []),
  ];
}

export const parts = [bodySize] as const;
