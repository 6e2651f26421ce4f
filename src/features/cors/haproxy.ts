import type { RoutePart, Rule, RuleContext } from '../../haproxy/feature.ts';
import { field, hasField, plainField, rawRow, type Row, row, rowTable } from '../../haproxy/rows.ts';
import { hap, type Token } from '../../haproxy/tokens.ts';
import type { CorsPolicy, RequestedValue } from './policy.ts';

const table = rowTable('cors', 'str', ['origins', 'methods', 'headers', 'expose', 'credentials', 'age', 'preflight']);
/** `ROUTE|ORIGIN`; `*` or, for several labels, `**` stands for the labels left out. */
const allowed = rowTable('cors_origins', 'str', ['yes']);

const FIRST_LABEL = hap`//[a-z0-9-]+\.`;
const NEXT_LABEL = hap`//[*]*[.][a-z0-9-]+\.`;

const inCors = hap`{ var(txn.cors) -m found }`;
const isAllowed = hap`{ var(txn.cors_allow) -m found }`;
const unmatched = hap`{ var(txn.cors_origin) -m found } !{ var(txn.cors_match) -m found }`;

const cors: RoutePart<'cors'> = {
  level: 'route',
  feature: 'cors',
  tables: [table, allowed],
  rows: (policy, route) => [
    row(table, route.id, {
      origins: policy.origins.type,
      methods: textOf(policy.methods),
      headers: textOf(policy.headers),
      expose: policy.expose ?? '',
      credentials: policy.credentials ? 1 : '',
      age: policy.maxAge,
      preflight: policy.preflight,
    }),
    ...originRows(policy, route.id),
  ],
  variants: (policy) => [
    ...(policy.origins.type === 'listed' ? ['listed'] : []),
    ...(policy.origins.type === 'listed' && policy.origins.deep ? ['deep'] : []),
    ...(policy.preflight === 'strict' ? ['strict'] : []),
  ],
  rules: (context) => [...originRules(context), ...preflightRules(context), ...responseRules()],
};

function originRows(policy: CorsPolicy, routeId: string): readonly Row[] {
  const { origins } = policy;
  if (origins.type !== 'listed') return [];
  return origins.origins.map((origin) => rawRow(allowed, `${routeId}|${origins.deep ? origin.replace('://*.', '://**.') : origin}`, '1'));
}

/** Whom the answer is for: `txn.cors_allow` is what Access-Control-Allow-Origin will say. */
function originRules({ inUse, lookup, file, variants }: RuleContext): readonly Rule[] {
  const match = (rest: Token) =>
    request(hap`set-var(txn.cors_match) var(txn.rid),concat(|,txn.cors_origin),map_str(${file(allowed)}) if ${rest}`);
  const shorten = (from: Token, pattern: Token, mark: Token) => [
    request(hap`set-var(txn.cors_origin) var(txn.${from}),regsub(${pattern},//${mark}.) if ${unmatched}`),
    match(unmatched),
  ];
  // One label for a star, then as many more as there may be.
  const wider = [
    ...shorten(hap`cors_whole`, FIRST_LABEL, hap`**`),
    ...[2, 3, 4].flatMap(() => shorten(hap`cors_origin`, NEXT_LABEL, hap`**`)),
  ];
  return [
    request(hap`set-var(txn.cors) ${lookup(table)} if ${inUse}`),
    request(hap`set-var(txn.cors_allow) str(*) if ${inCors} { ${plainField(table, 'origins')} -m str star }`),
    request(
      hap`set-var(txn.cors_allow) req.fhdr(origin) if ${inCors} { ${plainField(table, 'origins')} -m str any } { req.fhdr(origin) -m found }`,
    ),
    ...(variants.includes('listed')
      ? [
          // A star in the request must not meet the star of a row.
          request(
            hap`set-var(txn.cors_origin) req.fhdr(origin),lower if ${inCors} { ${plainField(table, 'origins')} -m str listed } !{ req.fhdr(origin) -m sub * }`,
          ),
          match(hap`{ var(txn.cors_origin) -m found }`),
          request(hap`set-var(txn.cors_whole) var(txn.cors_origin) if ${unmatched}`),
          ...shorten(hap`cors_origin`, FIRST_LABEL, hap`*`),
          ...(variants.includes('deep') ? wider : []),
          request(hap`set-var(txn.cors_allow) req.fhdr(origin) if { var(txn.cors_match) -m found }`),
        ]
      : []),
  ];
}

function preflightRules({ variants }: RuleContext): readonly Rule[] {
  const answer = (status: number, condition: Token) =>
    request(hap`return status ${status} if ${isAllowed} { method OPTIONS } ${condition}`);
  const asked = (name: Token, variable: Token) =>
    request(
      hap`set-var(txn.${variable}) req.fhdr(${name}) if ${isAllowed} !${hasField(table, variable.text === 'cors_methods' ? 'methods' : 'headers')}`,
    );
  return [
    asked(hap`access-control-request-method`, hap`cors_methods`),
    asked(hap`access-control-request-headers`, hap`cors_headers`),
    answer(204, hap`{ ${plainField(table, 'preflight')} -m str options }`),
    ...(variants.includes('strict')
      ? [
          answer(
            200,
            hap`{ ${plainField(table, 'preflight')} -m str strict } { req.fhdr(origin) -m found } { req.fhdr(access-control-request-method) -m found }`,
          ),
        ]
      : []),
  ];
}

function responseRules(): readonly Rule[] {
  const set = (name: Token, value: Token, condition: Token) => response(hap`set-header ${name} %[${value}] if ${isAllowed} ${condition}`);
  return [
    response(hap`set-header Access-Control-Allow-Origin %[var(txn.cors_allow)] if ${isAllowed}`),
    set(hap`Access-Control-Allow-Credentials`, hap`str(true)`, hasField(table, 'credentials')),
    response(hap`del-header Access-Control-Allow-Credentials if ${isAllowed} !${hasField(table, 'credentials')}`),
    set(hap`Access-Control-Allow-Methods`, field(table, 'methods'), hasField(table, 'methods')),
    set(hap`Access-Control-Allow-Methods`, hap`var(txn.cors_methods)`, hap`{ var(txn.cors_methods) -m found }`),
    set(hap`Access-Control-Allow-Headers`, field(table, 'headers'), hasField(table, 'headers')),
    set(hap`Access-Control-Allow-Headers`, hap`var(txn.cors_headers)`, hap`{ var(txn.cors_headers) -m found }`),
    set(hap`Access-Control-Expose-Headers`, field(table, 'expose'), hasField(table, 'expose')),
    set(hap`Access-Control-Max-Age`, plainField(table, 'age'), hap``),
    // Also where the origin was not allowed: a cache must not give that answer to an allowed one.
    response(hap`add-header Vary Origin if ${inCors} !{ ${plainField(table, 'origins')} -m str star } !{ res.hdr(vary) -m str -i origin }`),
  ];
}

/** Empty: what the preflight asks for. */
function textOf(value: string | RequestedValue): string {
  return typeof value === 'string' ? value : '';
}

function request(action: Token): Rule {
  return { phase: 'answer', line: hap`http-request ${action}` };
}

function response(action: Token): Rule {
  return { phase: 'response', line: hap`http-after-response ${action}` };
}

export const parts = [cors] as const;
