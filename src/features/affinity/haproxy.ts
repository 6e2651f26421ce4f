import type { BackendPart, RoutePart, Rule, RuleContext } from '../../haproxy/feature.ts';
import { field, hasField, plainField, row, rowTable } from '../../haproxy/rows.ts';
import { hap, type Token, word, words } from '../../haproxy/tokens.ts';
import { shortDigest } from '../../model/identity.ts';
import type { AffinityPolicy, SessionCookiePolicy } from './policy.ts';

/** Values are ours and made from the endpoint's name: the same on every replica, after a restart, and for one pod in several backends. */
const affinity: BackendPart<'affinity'> = {
  level: 'backend',
  feature: 'affinity',
  profile: (policy) => [cookieLine(policy), ...(policy.moves ? [] : [hap`no option redispatch`])],
  server: ({ side }, endpoint) => [hap`cookie`, word(`${side}.${shortDigest(endpoint.name)}`)],
};

function cookieLine({ cookie, strategy, keywords }: AffinityPolicy): Token {
  const mode = { insert: hap`insert indirect nocache`, rewrite: hap`rewrite`, prefix: hap`prefix nocache` }[strategy];
  return words([hap`cookie ${word(cookie)} ${mode}`, ...keywords.map(word)]);
}

const table = rowTable('session_cookie', 'str', ['attributes', 'secure', 'none', 'expires']);

/** A Set-Cookie line that HAProxy wrote for one of our values, up to the path it always writes. */
const OURS = hap`^([^=;]+=(?:p|c[a-z2-7]{6})\.[a-z2-7]{12}); path=/(.*)$`;

/** Browsers that take an unknown SameSite value for Strict or drop the cookie (Chromium 51 to 66, iOS 12, Safari on macOS 10.14). */
const OLD_AGENTS = hap`Chrom(e|ium)/(5[1-9]|6[0-6])\.|\((iPhone|iPad|iPod).*OS.12_|Macintosh.*Mac.OS.X.10_14.*Version/.*Safari`;

/** HAProxy writes `path=/` and fixed attributes; the route's own ones take their place in the answer. */
const sessionCookie: RoutePart<'session-cookie'> = {
  level: 'route',
  feature: 'session-cookie',
  tables: [table],
  rows: (policy, route) => [
    row(table, route.id, {
      attributes: attributesOf(policy),
      secure: policy.secure === 'https' ? 'tls' : '',
      none: policy.sameSite === 'None' ? (policy.conditional ? 'conditional' : 'always') : '',
      expires: policy.expires ?? '',
    }),
  ],
  rules: (context) => [...requestRules(context), ...responseRules(context)],
};

/** An answer knows nothing of its request but what is kept here. */
function requestRules({ inUse, lookup }: RuleContext): readonly Rule[] {
  const oldAgent = hap`{ ${plainField(table, 'none')} -m str conditional } { req.hdr(user-agent) -m reg ${OLD_AGENTS} }`;
  return [
    { phase: 'headers', line: hap`http-request set-var(txn.session_cookie) ${lookup(table)} if ${inUse}` },
    { phase: 'headers', line: hap`http-request set-var(txn.session_old) bool(true) if ${oldAgent}` },
  ];
}

function responseRules({ inUse }: RuleContext): readonly Rule[] {
  const begun = hap`{ var(txn.session_attributes) -m found }`;
  const append = (text: Token, condition: Token) =>
    hap`http-after-response set-var-fmt(txn.session_attributes) '%[var(txn.session_attributes)]${text}' if ${begun} ${condition}`;
  const lines = [
    hap`http-after-response set-var(txn.session_attributes) ${field(table, 'attributes')} if ${inUse} { res.hdr(set-cookie) -m found }`,
    append(hap`; Secure`, hap`{ ${plainField(table, 'secure')} -m str tls } { var(txn.https) -m bool }`),
    append(hap`; SameSite=None`, hap`${hasField(table, 'none')} !{ var(txn.session_old) -m bool }`),
    hap`http-after-response set-var(txn.session_expires) ${plainField(table, 'expires')},add(0) if ${begun} ${hasField(table, 'expires')}`,
    append(hap`; Expires=%[date,add(txn.session_expires),http_date]`, hap`{ var(txn.session_expires) -m found }`),
    hap`http-after-response replace-header Set-Cookie '${OURS}' '\1%[var(txn.session_attributes)]\2' if ${begun}`,
  ];
  return lines.map((line) => ({ phase: 'response', line }));
}

function attributesOf({ path, domain, maxAge, sameSite, secure }: SessionCookiePolicy): string {
  return [
    `; Path=${path}`,
    domain === undefined ? '' : `; Domain=${domain}`,
    maxAge === undefined ? '' : `; Max-Age=${maxAge}`,
    sameSite === undefined || sameSite === 'None' ? '' : `; SameSite=${sameSite}`,
    secure === 'always' ? '; Secure' : '',
  ].join('');
}

export const parts = [affinity, sessionCookie] as const;
