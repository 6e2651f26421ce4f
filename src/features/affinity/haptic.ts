import { key, type Parsed, parsed, problem } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import { bool, choice } from '../values/basic.ts';
import type { AffinityPolicy, CookieKeyword } from './policy.ts';
import { cookieDomain, cookiePath, cookieSeconds, sameSite, sessionCookieName } from './values.ts';

const common = { onInvalid: 'default', scope: 'backend', default: 'none' } as const;

const KEYWORDS: ReadonlySet<string> = new Set<CookieKeyword>(['httponly', 'secure', 'preserve', 'postonly']);

/** `indirect` and `nocache` are there anyway. */
function keywords(text: string): Parsed<readonly CookieKeyword[]> {
  const words = text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '' && word !== 'indirect' && word !== 'nocache');
  const known = words.filter((word): word is CookieKeyword => KEYWORDS.has(word));
  return known.length === words.length
    ? parsed(known)
    : problem('holds a word that is not supported', 'Use httponly, secure, preserve, postonly, indirect or nocache.');
}

const keys = {
  affinity: key({
    ...common,
    name: 'affinity',
    parse: choice(['cookie']),
    value: 'cookie',
    summary: 'Requests of one session reach the same endpoint, by a cookie.',
  }),
  name: key({
    ...common,
    name: 'session-cookie-name',
    parse: sessionCookieName,
    value: 'cookie name',
    default: 'INGRESSCOOKIE',
    summary: 'Name of the session cookie.',
  }),
  domain: key({ ...common, name: 'session-cookie-domain', parse: cookieDomain, value: 'domain', summary: 'Adds Domain.' }),
  dynamic: key({
    ...common,
    name: 'session-cookie-dynamic',
    parse: bool,
    value: 'true or false',
    default: 'true',
    summary: 'Whether cookie values are made from the endpoint.',
    difference: 'Values are always made from the endpoint’s name, so they are the same on every replica and after a restart.',
  }),
  keywords: key({
    ...common,
    name: 'session-cookie-keywords',
    parse: keywords,
    value: 'words such as httponly',
    summary: 'Further words of the cookie line.',
    difference: 'A list of known words; others would be raw configuration.',
  }),
  maxAge: key({ ...common, name: 'session-cookie-max-age', parse: cookieSeconds, value: 'seconds', summary: 'Adds Max-Age.' }),
  path: key({
    ...common,
    name: 'session-cookie-path',
    parse: cookiePath,
    value: 'path',
    default: '/',
    summary: 'Path of the cookie.',
    difference: 'The cookie has this path only, not `path=/` before it.',
  }),
  preserve: key({
    ...common,
    name: 'session-cookie-preserve',
    parse: bool,
    value: 'true or false',
    default: 'false',
    summary: 'Leaves a cookie that the application sets itself as it is.',
  }),
  sameSite: key({ ...common, name: 'session-cookie-samesite', parse: sameSite, value: 'None, Lax or Strict', summary: 'Adds SameSite.' }),
  secure: key({ ...common, name: 'session-cookie-secure', parse: bool, value: 'true or false', default: 'false', summary: 'Adds Secure.' }),
  strategy: key({
    ...common,
    name: 'session-cookie-strategy',
    parse: choice(['insert', 'rewrite', 'prefix']),
    value: 'insert, rewrite or prefix',
    default: 'insert',
    summary: 'A cookie of its own, or a mark in the application’s cookie.',
  }),
} as const;

export const haptic = reader({
  dialect: 'haptic',
  keys,
  toPolicy(values, context): AffinityPolicy | undefined {
    if (values.affinity === undefined) {
      const idle = Object.keys(keys).find((name) => name !== 'affinity' && context.given(name));
      if (idle !== undefined && !context.given('affinity'))
        context.report(
          'AnnotationIgnored',
          idle,
          'The session-cookie keys have no effect without `affinity: cookie`.',
          'Set affinity: "cookie", or remove them.',
        );
      return undefined;
    }
    const words = new Set<CookieKeyword>([...(values.keywords ?? []), ...(values.preserve === true ? (['preserve'] as const) : [])]);
    return {
      cookie: values.name ?? 'INGRESSCOOKIE',
      strategy: values.strategy ?? 'insert',
      keywords: [...words].sort(),
      moves: true,
      side: 'p',
      attributes: {
        path: values.path ?? '/',
        ...(values.domain === undefined ? {} : { domain: values.domain }),
        ...(values.maxAge === undefined ? {} : { maxAge: values.maxAge }),
        ...(values.sameSite === undefined ? {} : { sameSite: values.sameSite }),
        conditional: false,
        secure: values.secure === true ? 'always' : 'never',
      },
    };
  },
});
