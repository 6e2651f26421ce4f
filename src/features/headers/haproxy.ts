import type { RoutePart, Rule } from '../../haproxy/feature.ts';
import type { Phase } from '../../haproxy/phases.ts';
import { field, hasField, plainField, row, rowTable } from '../../haproxy/rows.ts';
import { hap, type Token, word } from '../../haproxy/tokens.ts';
import { isEmpty } from './bounds.ts';
import { operationFields, operationLines } from './haproxy-operations.ts';
import { type HeaderControlPolicy, NO_OPERATIONS } from './policy.ts';

const lua = [new URL('./headers.lua', import.meta.url)];

const OPERATIONS = ['remove', 'set', 'add'] as const;
const toApplication = rowTable('headers_request', 'str', [...OPERATIONS, 'host', 'connection', 'forwarded']);
const toClient = rowTable('headers_response', 'str', OPERATIONS);

function rules(phase: Phase, lines: readonly Token[]): readonly Rule[] {
  return lines.map((line) => ({ phase, line }));
}

function found(variable: Token): Token {
  return hap`{ var(txn.${variable}) -m found }`;
}

const fromProxy = hap`{ var(txn.trusted) -m bool }`;
const cameForwarded = hap`{ req.hdr(x-original-forwarded-for) -m found }`;

/** What is sent on is in one row, what is sent back in another: each is read only where it is needed. */
const headers: RoutePart<'headers'> = {
  level: 'route',
  feature: 'headers',
  tables: [toApplication, toClient],
  lua,
  rows: (policy, route) => [
    row(toApplication, route.id, {
      ...operationFields(policy.request),
      host: policy.host ?? '',
      connection: policy.connection ?? '',
      forwarded: policy.forwardedFor ?? '',
    }),
    ...(isEmpty(policy.response) ? [] : [row(toClient, route.id, operationFields(policy.response))]),
  ],
  rules: ({ version, inUse, lookup }) => {
    const sent = found(hap`headers_request`);
    const forwarded = (mode: Token) => hap`${sent} { ${plainField(toApplication, 'forwarded')} -m str ${mode} }`;
    return [
      ...rules('headers', [
        hap`http-request set-var(txn.headers_request) ${lookup(toApplication)} if ${inUse}`,
        hap`http-request set-header X-Forwarded-For %[req.fhdr(x-original-forwarded-for)],\ %[var(txn.peer)] if ${forwarded(hap`chain`)} ${fromProxy} ${cameForwarded}`,
        hap`http-request set-header X-Forwarded-For %[req.fhdr(x-original-forwarded-for)] if ${forwarded(hap`keep`)} ${fromProxy} ${cameForwarded}`,
        hap`http-request del-header X-Forwarded-For if ${forwarded(hap`untouched`)}`,
        hap`http-request set-header X-Forwarded-For %[req.fhdr(x-original-forwarded-for)] if ${forwarded(hap`untouched`)} ${fromProxy} ${cameForwarded}`,
        hap`http-request set-header Host %[${field(toApplication, 'host')}] if ${sent} ${hasField(toApplication, 'host')}`,
        hap`http-request set-header Connection close if ${sent} ${hasField(toApplication, 'connection')}`,
        ...operationLines(version, hap`http-request`, toApplication, sent),
      ]),
      ...rules('response', [
        hap`http-after-response set-var(txn.headers_response) ${lookup(toClient)} if ${inUse}`,
        ...operationLines(version, hap`http-after-response`, toClient, found(hap`headers_response`)),
      ]),
    ];
  },
};

const control = rowTable('header_control', 'str', OPERATIONS);
const controlBack = rowTable('header_control_back', 'str', OPERATIONS);

/** Keyed by route and backend: what holds for production and for each canary is known only once one of them is chosen. */
const headerControl: RoutePart<'header-control'> = {
  level: 'route',
  feature: 'header-control',
  tables: [control, controlBack],
  lua,
  policyOf: (route) =>
    route.policies['header-control'] ??
    (route.canaries.some((canary) => canary.policies?.['header-control'])
      ? { request: NO_OPERATIONS, response: NO_OPERATIONS }
      : undefined),
  rows: (policy, route) => {
    const sides = new Map<string, HeaderControlPolicy | undefined>(
      route.canaries.map((canary) => [canary.backend, canary.policies?.['header-control']]),
    );
    if (route.backend !== undefined) sides.set(route.backend, policy);
    return [...sides].flatMap(([backend, own]) => {
      const key = `${route.id}|${backend}`;
      return [
        ...(own === undefined || isEmpty(own.request) ? [] : [row(control, key, operationFields(own.request))]),
        ...(own === undefined || isEmpty(own.response) ? [] : [row(controlBack, key, operationFields(own.response))]),
      ];
    });
  },
  rules: ({ version, inUse, file }) => {
    const served = (table: typeof control) => hap`var(txn.rid),concat(|,txn.be),map_str(${file(table)})`;
    return rules('backend', [
      hap`http-request set-var(txn.header_control) ${served(control)} if ${inUse}`,
      ...operationLines(version, hap`http-request`, control, found(hap`header_control`)),
      hap`http-response set-var(txn.header_control_back) ${served(controlBack)} if ${inUse}`,
      ...operationLines(version, hap`http-response`, controlBack, found(hap`header_control_back`)),
    ]);
  },
};

const hstsTable = rowTable('hsts', 'str', ['value']);

const hsts: RoutePart<'hsts'> = {
  level: 'route',
  feature: 'hsts',
  tables: [hstsTable],
  rows: (policy, route) => [row(hstsTable, route.id, { value: policy.value })],
  rules: ({ inUse, lookup }) =>
    rules('response', [
      hap`http-after-response set-var(txn.hsts) ${lookup(hstsTable)} if ${inUse} { ssl_fc }`,
      hap`http-after-response del-header Strict-Transport-Security if ${found(hap`hsts`)} !${hasField(hstsTable, 'value')}`,
      hap`http-after-response set-header Strict-Transport-Security %[${field(hstsTable, 'value')}] if ${found(hap`hsts`)} ${hasField(hstsTable, 'value')}`,
    ]),
};

const sourceTable = rowTable('source_address', 'str', ['header']);

/** First of all phases: access lists and limits count the address that it finds. */
const sourceAddress: RoutePart<'source-address'> = {
  level: 'route',
  feature: 'source-address',
  tables: [sourceTable],
  rows: (policy, route) => [row(sourceTable, route.id, { header: policy.header })],
  variants: (policy) => [policy.header],
  rules: ({ inUse, lookup, variants }) => {
    const taken = hap`{ var(txn.source_taken) -m bool }`;
    return rules('answer', [
      hap`http-request set-var(txn.source_address) ${lookup(sourceTable)} if ${inUse} ${fromProxy}`,
      ...variants.flatMap((name) => {
        const here = hap`${found(hap`source_address`)} { ${plainField(sourceTable, 'header')} -m str ${word(name)} } { req.hdr_ip(${word(name)}) -m found }`;
        return [
          hap`http-request set-var(txn.source_taken) bool(true) if ${here}`,
          hap`http-request set-src req.hdr_ip(${word(name)}) if ${here}`,
        ];
      }),
      hap`http-request set-header X-Real-IP %[src] if ${taken}`,
      hap`http-request set-header X-Forwarded-For %[src] if ${taken}`,
    ]);
  },
};

const idTable = rowTable('request_id', 'str', ['header', 'inbound']);

const requestId: RoutePart<'request-id'> = {
  level: 'route',
  feature: 'request-id',
  tables: [idTable],
  rows: (policy, route) => [row(idTable, route.id, { header: policy.header, inbound: policy.acceptInbound ? 1 : '' })],
  variants: (policy) => [policy.header],
  rules: ({ inUse, lookup, variants }) =>
    rules('headers', [
      hap`http-request set-var(txn.request_id) ${lookup(idTable)} if ${inUse}`,
      ...variants.flatMap((name) => {
        const here = hap`${found(hap`request_id`)} { ${plainField(idTable, 'header')} -m str ${word(name)} }`;
        const set = hap`http-request set-header ${word(name)} %[uuid(7)]`;
        return [hap`${set} if ${here} !${hasField(idTable, 'inbound')}`, hap`${set} if ${here} !{ req.hdr(${word(name)}) -m found }`];
      }),
    ]),
};

const rewriteTable = rowTable('response_rewrite', 'str', ['locationFrom', 'locationTo', 'pathFrom', 'pathTo', 'domainFrom', 'domainTo']);

const responseRewrite: RoutePart<'response-rewrite'> = {
  level: 'route',
  feature: 'response-rewrite',
  tables: [rewriteTable],
  lua,
  rows: ({ location, cookiePath, cookieDomain }, route) => [
    row(rewriteTable, route.id, {
      locationFrom: location?.from ?? '',
      locationTo: location?.to ?? '',
      pathFrom: cookiePath?.from ?? '',
      pathTo: cookiePath?.to ?? '',
      domainFrom: cookieDomain?.from ?? '',
      domainTo: cookieDomain?.to ?? '',
    }),
  ],
  rules: ({ inUse, lookup }) =>
    rules('backend', [
      hap`http-response set-var(txn.response_rewrite) ${lookup(rewriteTable)} if ${inUse} { res.hdr(location) -m found }`,
      hap`http-response set-var(txn.response_rewrite) ${lookup(rewriteTable)} if ${inUse} { res.hdr(set-cookie) -m found }`,
      hap`http-response set-var(txn.response_rewrite) ${lookup(rewriteTable)} if ${inUse} { res.hdr(refresh) -m found }`,
      hap`http-response lua.ramjet_rewrite if ${found(hap`response_rewrite`)}`,
    ]),
};

export const parts = [sourceAddress, headers, headerControl, hsts, requestId, responseRewrite] as const;
