import { key, type ValuesOf } from '../contract/key.ts';
import { type ReadContext, reader } from '../contract/reader.ts';
import { bool, choice } from '../values/basic.ts';
import type { AffinityPolicy, CookieAttributes } from './policy.ts';
import { cookieDomain, cookiePath, cookieSeconds, sameSite, sessionCookieName } from './values.ts';

const common = { onInvalid: 'default', scope: 'backend', default: 'none' } as const;

export const nginxKeys = {
  affinity: key({
    ...common,
    name: 'affinity',
    parse: choice(['cookie']),
    value: 'cookie',
    summary: 'Requests of one session reach the same endpoint, by a cookie.',
  }),
  mode: key({
    ...common,
    name: 'affinity-mode',
    parse: choice(['balanced', 'persistent']),
    value: 'balanced or persistent',
    default: 'balanced',
    summary: 'Whether sessions move when endpoints are added.',
    difference: 'Both are persistent: a session stays on its endpoint as long as it lives, new endpoints get new sessions.',
  }),
  name: key({
    ...common,
    name: 'session-cookie-name',
    parse: sessionCookieName,
    value: 'cookie name',
    default: 'INGRESSCOOKIE',
    summary: 'Name of the session cookie.',
  }),
  secure: key({
    ...common,
    name: 'session-cookie-secure',
    parse: bool,
    value: 'true or false',
    default: 'on answers over TLS',
    summary: '`true` adds the attribute Secure on plain answers too.',
  }),
  expires: key({
    ...common,
    name: 'session-cookie-expires',
    parse: cookieSeconds,
    value: 'seconds',
    summary: 'Adds Expires, so many seconds from the answer.',
  }),
  maxAge: key({ ...common, name: 'session-cookie-max-age', parse: cookieSeconds, value: 'seconds', summary: 'Adds Max-Age.' }),
  path: key({
    ...common,
    name: 'session-cookie-path',
    parse: cookiePath,
    value: 'path',
    default: 'the path of the rule',
    summary: 'Path of the cookie.',
    difference: 'For a regex path it is / unless set; ingress-nginx sends the regex.',
  }),
  domain: key({ ...common, name: 'session-cookie-domain', parse: cookieDomain, value: 'domain', summary: 'Adds Domain.' }),
  sameSite: key({ ...common, name: 'session-cookie-samesite', parse: sameSite, value: 'None, Lax or Strict', summary: 'Adds SameSite.' }),
  conditional: key({
    ...common,
    name: 'session-cookie-conditional-samesite-none',
    parse: bool,
    value: 'true or false',
    default: 'false',
    summary: 'Leaves SameSite=None out for browsers that reject it.',
  }),
  moves: key({
    ...common,
    name: 'session-cookie-change-on-failure',
    parse: bool,
    value: 'true or false',
    default: 'true',
    summary: 'Whether a session moves to another endpoint when its own can’t be reached.',
    difference: 'A session moves unless this is "false"; in ingress-nginx it fails until the endpoint is gone, unless this is "true".',
  }),
} as const;

export const nginx = reader({
  dialect: 'nginx',
  keys: nginxKeys,
  toPolicy(values, context): AffinityPolicy | undefined {
    if (values.affinity === undefined) {
      const idle = Object.keys(nginxKeys).find((name) => name !== 'affinity' && context.given(name));
      if (idle !== undefined && !context.given('affinity'))
        context.report(
          'AnnotationIgnored',
          idle,
          'The session-cookie keys have no effect without `affinity: cookie`.',
          'Set affinity: "cookie", or remove them.',
        );
      return undefined;
    }
    return policyOf(values, context);
  },
});

export type NginxValues = ValuesOf<typeof nginxKeys>;

export function policyOf(values: NginxValues, context: ReadContext): AffinityPolicy & { readonly attributes: CookieAttributes } {
  if (values.conditional === true && values.sameSite !== 'None') {
    context.report('AnnotationIgnored', 'conditional', 'This key has no effect without `session-cookie-samesite: None`.');
  }
  return {
    cookie: values.name ?? 'INGRESSCOOKIE',
    strategy: 'insert',
    keywords: ['httponly'],
    moves: values.moves ?? true,
    side: 'p',
    attributes: {
      ...(values.path === undefined ? {} : { path: values.path }),
      ...(values.domain === undefined ? {} : { domain: values.domain }),
      ...(values.maxAge === undefined ? {} : { maxAge: values.maxAge }),
      ...(values.expires === undefined ? {} : { expires: values.expires }),
      ...(values.sameSite === undefined ? {} : { sameSite: values.sameSite }),
      conditional: values.conditional ?? false,
      secure: values.secure === true ? 'always' : 'https',
    },
  };
}
