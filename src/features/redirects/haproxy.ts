import type { RoutePart, Rule } from '../../haproxy/feature.ts';
import { field, hasField, plainField, type Row, row, rowTable } from '../../haproxy/rows.ts';
import { hap, type Token } from '../../haproxy/tokens.ts';
import { type HttpsRedirectPolicy, type LocationTemplate, REDIRECT_CODES, type RedirectCode } from './policy.ts';
import { portText } from './shape.ts';

const targets = rowTable('redirects', 'str', ['before', 'scheme', 'middle', 'host', 'after', 'tail', 'end', 'code']);
const https = rowTable('https_redirect', 'str', ['code', 'port', 'cut']);

const redirecting = hap`{ var(txn.redirects) -m found }`;
const toHttps = hap`{ var(txn.https_redirect) -m found }`;
const isHttps = hap`{ var(txn.https) -m bool }`;

/** The Location is put together from the row and the request; a request for that very URL goes on to the backend. */
const redirects: RoutePart<'redirects'> = {
  level: 'route',
  feature: 'redirects',
  tables: [targets],
  rows: (policy, route) => {
    if (policy.all === undefined) return [];
    const { before, scheme, middle, host, after, tail, end } = onSite(policy.all.location, route.policies['https-redirect']);
    return [row(targets, route.id, { before, scheme: scheme ? 1 : '', middle, host, after, tail, end, code: policy.all.code })];
  },
  variants: (policy) => (policy.all ? [String(policy.all.code)] : []),
  rules: ({ inUse, lookup, variants }) => [
    redirectRule(hap`set-var(txn.redirects) ${lookup(targets)} if ${inUse}`),
    redirectRule(hap`set-var(txn.rd_scheme) str(http) if ${redirecting} !${isHttps}`),
    redirectRule(hap`set-var(txn.rd_scheme) str(https) if ${redirecting} ${isHttps}`),
    redirectRule(hap`set-var-fmt(txn.rd_self) %[var(txn.rd_scheme)]://%[req.hdr(host),lower]%[pathq] if ${redirecting}`),
    redirectRule(hap`set-var(txn.rd_path) pathq if ${redirecting}`),
    redirectRule(hap`unset-var(txn.rd_scheme) if ${redirecting} !${hasField(targets, 'scheme')}`),
    redirectRule(hap`set-var(txn.rd_host) req.hdr(host),host_only,lower if ${redirecting} ${isField('host', hap`name`)}`),
    redirectRule(hap`set-var(txn.rd_host) req.hdr(host),lower if ${redirecting} ${isField('host', hap`header`)}`),
    redirectRule(hap`set-var(txn.rd_host) req.hdr(host),lower,regsub(^www\.,) if ${redirecting} ${isField('host', hap`apex`)}`),
    redirectRule(hap`set-var(txn.rd_tail) pathq if ${redirecting} ${isField('tail', hap`uri`)}`),
    redirectRule(hap`set-var(txn.rd_tail) path if ${redirecting} ${isField('tail', hap`path`)}`),
    redirectRule(hap`set-var-fmt(txn.rd_tail) ?%[query] if ${redirecting} ${isField('tail', hap`query`)} { query -m len gt 0 }`),
    redirectRule(
      hap`set-var-fmt(txn.rd_to) %[${field(targets, 'before')}]%[var(txn.rd_scheme)]%[${field(targets, 'middle')}]%[var(txn.rd_host)]%[${field(targets, 'after')}]%[var(txn.rd_tail)]%[${field(targets, 'end')}] if ${redirecting}`,
    ),
    ...usedCodes(variants).map((code) =>
      redirectRule(
        hap`redirect location %[var(txn.rd_to)] code ${code} if ${redirecting} ${isField('code', hap`${code}`)} !{ var(txn.rd_to),strcmp(txn.rd_self) eq 0 } !{ var(txn.rd_to),strcmp(txn.rd_path) eq 0 }`,
      ),
    ),
  ],
};

/**
 * Nearly every host with TLS has it, so a route that has nothing beside it bears no flag: its row is looked
 * up on plain http, and an https request pays for looking at a variable. A route with other redirects, or
 * with CORS, whose preflight comes first, is sent on in the order of phases.
 */
const httpsRedirect: RoutePart<'https-redirect'> = {
  level: 'route',
  feature: 'https-redirect',
  tables: [https],
  isCommon: (_policy, { policies }) => Object.keys(policies).every((name) => name === 'https-redirect' || !BEFORE_HTTPS.has(name)),
  commonRows: (policy, route) => [httpsRow(policy, route.id)],
  rows: (policy, route) => [httpsRow(policy, route.id)],
  variants: (policy) => [String(policy.code)],
  rules: ({ inUse, lookup, variants }) => {
    const ask = hap`http-request set-var(txn.https_redirect) ${lookup(https)} if !${isHttps}`;
    const may = hap`!{ var(txn.p) -m beg /.well-known/acme-challenge } { req.hdr(host) -m len gt 0 }`;
    return [
      { phase: 'common', line: hap`${ask} !${inUse} ${may}` },
      ...httpsLines(variants).map((line): Rule => ({ phase: 'common', line })),
      { phase: 'redirect', line: hap`${ask} ${inUse} !${redirecting} ${may}` },
      ...httpsLines(variants).map((line): Rule => ({ phase: 'redirect', line })),
    ];
  },
};

/** What may answer plain http before it is sent to https. */
const BEFORE_HTTPS: ReadonlySet<string> = new Set(['redirects', 'cors']);

function httpsRow(policy: HttpsRedirectPolicy, routeId: string): Row {
  return row(https, routeId, { code: policy.code, port: portText(policy), cut: policy.trailingSlash === 'cut' ? 1 : '' });
}

function httpsLines(variants: readonly string[]): readonly Token[] {
  return [
    hap`http-request set-var(txn.rd_tail) pathq if ${toHttps}`,
    hap`http-request set-var(txn.rd_tail) path,regsub(/$,) if ${toHttps} ${hasField(https, 'cut')} !{ query -m found }`,
    ...usedCodes(variants).map(
      (code) =>
        hap`http-request redirect location https://%[req.hdr(host),host_only,lower]%[${plainField(https, 'port')}]%[var(txn.rd_tail)] code ${code} if ${toHttps} { ${plainField(https, 'code')} -m str ${code} }`,
    ),
  ];
}

function redirectRule(action: Token): Rule {
  return { phase: 'redirect', line: hap`http-request ${action}` };
}

function isField(name: (typeof targets.fields)[number], text: Token): Token {
  return hap`{ ${plainField(targets, name)} -m str ${text} }`;
}

function usedCodes(variants: readonly string[]): readonly RedirectCode[] {
  return REDIRECT_CODES.filter((code) => variants.includes(String(code)));
}

/** A path gets the site's scheme and host in front: https at once where plain http would be sent there next. */
function onSite(template: LocationTemplate, enforced: HttpsRedirectPolicy | undefined): LocationTemplate {
  if (template.base === 'none') return template;
  const path = template.before + template.middle + template.after;
  if (enforced) return { ...template, before: 'https://', middle: '', host: 'name', after: portText(enforced) + path };
  return { ...template, before: '', scheme: true, middle: '://', host: 'header', after: path };
}

/** A route that leads elsewhere anyway is not sent to https first. */
export const parts = [redirects, httpsRedirect] as const;
