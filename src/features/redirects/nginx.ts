import { key } from '../contract/key.ts';
import { type ReadContext, reader } from '../contract/reader.ts';
import type { FeatureSettings } from '../contract/settings.ts';
import { bool } from '../values/basic.ts';
import { redirectCode } from './codes.ts';
import { location, rootPath } from './location.ts';
import type { HttpsRedirectPolicy, LocationTemplate, Redirect, RedirectCode, RedirectsPolicy } from './policy.ts';

const flag = { parse: bool, onInvalid: 'default', scope: 'ingress', value: 'true or false' } as const;

export const ssl = key({
  ...flag,
  name: 'ssl-redirect',
  default: 'true on hosts with TLS; under MSE false',
  summary: 'Redirect plain http to https; under MSE also on hosts without TLS.',
  difference:
    'A `/` at the end of a query is kept; ingress-nginx cuts it. Another object of the same host does not take over the redirect.',
});

export const force = key({
  ...flag,
  name: 'force-ssl-redirect',
  default: 'false',
  summary: 'Redirect plain http to https, also where the object has no TLS for the host.',
});

const preserve = key({
  ...flag,
  name: 'preserve-trailing-slash',
  default: 'false',
  summary: 'Keep a `/` at the end of the path in the redirect to https.',
});

const usePort = key({
  ...flag,
  name: 'use-port-in-redirects',
  default: 'false',
  summary: 'Always write the port in the redirect to https, even 443.',
  difference:
    'The port is the one that clients see, not the one HAProxy listens on. Redirects to a path keep the port of the request in any case.',
});

/** What the redirect to https is where no key says otherwise. */
export function defaultHttps(settings: FeatureSettings): HttpsRedirectPolicy {
  return { when: 'tls', code: settings.httpRedirectCode, port: settings.httpsPort, writePort: false, trailingSlash: 'cut' };
}

export const nginxHttps = reader({
  dialect: 'nginx',
  keys: { ssl, force, preserve, usePort },
  toPolicy(values, { settings }): HttpsRedirectPolicy | undefined {
    if (!values.force && !(values.ssl ?? settings.sslRedirect)) return undefined;
    return {
      ...defaultHttps(settings),
      when: values.force ? 'always' : 'tls',
      writePort: values.usePort ?? false,
      trailingSlash: values.preserve ? 'keep' : 'cut',
    };
  },
});

const target = { onInvalid: 'default', scope: 'ingress', default: 'none' } as const;

const permanent = key({
  ...target,
  name: 'permanent-redirect',
  parse: location({ paths: true, variables: true }),
  value: 'URL or path; may name $scheme, $host and $request_uri',
  summary: 'Redirect every request of the paths, with status 301.',
  difference:
    '$uri is sent undecoded, so that a request can not add header lines. A redirect to the very URL that was asked for is not sent.',
});

export const permanentCode = key({
  ...target,
  name: 'permanent-redirect-code',
  parse: redirectCode(301),
  value: '301, 302, 303, 307 or 308',
  default: '301',
  summary: 'Status of `permanent-redirect`.',
});

const temporal = key({
  ...target,
  name: 'temporal-redirect',
  parse: location({ paths: false, variables: true }),
  value: 'URL; may name $scheme, $host and $request_uri',
  summary: 'Redirect every request of the paths, with status 302; wins over `permanent-redirect`.',
});

const temporalCode = key({
  ...target,
  name: 'temporal-redirect-code',
  parse: redirectCode(302),
  value: '301, 302, 303, 307 or 308',
  default: '302',
  summary: 'Status of `temporal-redirect`.',
});

export const appRoot = key({
  ...target,
  name: 'app-root',
  parse: rootPath,
  scope: 'host',
  value: 'path',
  summary: 'Redirect `/` of the hosts to this path, with status 302.',
});

const www = key({
  ...flag,
  name: 'from-to-www-redirect',
  scope: 'host',
  default: 'false',
  summary: 'Redirect `www.` of each host to the host, or the bare name to a host that starts with `www.`.',
  difference: 'A standard port is not written, a `/` at the end is kept, and where https is enforced the redirect leads there at once.',
});

const relative = key({
  ...flag,
  name: 'relative-redirects',
  default: 'false',
  summary: 'Send the path alone where `permanent-redirect` or `app-root` is a path.',
});

export const nginxRedirects = reader({
  dialect: 'nginx',
  keys: { permanent, permanentCode, temporal, temporalCode, appRoot, www, relative },
  toPolicy(values, context): RedirectsPolicy | undefined {
    reportUseless(context, 'permanentCode', 'permanent');
    reportUseless(context, 'temporalCode', 'temporal');
    const fit = (template: LocationTemplate): LocationTemplate => (values.relative ? { ...template, base: 'none' } : template);
    const all = firstRedirect(
      [values.temporal, values.temporalCode ?? 302],
      [values.permanent && fit(values.permanent), values.permanentCode ?? 301],
    );
    const policy = {
      ...(all ? { all } : {}),
      ...(values.appRoot ? { root: { location: fit(values.appRoot), code: 302 as const } } : {}),
      ...(values.www ? { www: context.settings.httpRedirectCode } : {}),
    };
    return Object.keys(policy).length === 0 ? undefined : policy;
  },
});

export function firstRedirect(...candidates: readonly (readonly [LocationTemplate | undefined, RedirectCode])[]): Redirect | undefined {
  for (const [template, code] of candidates) if (template !== undefined) return { location: template, code };
  return undefined;
}

/** A status without its redirect does nothing. Names as in the reader's table. */
export function reportUseless(context: ReadContext, name: string, needs: string): void {
  if (context.given(name) && !context.given(needs))
    context.report('AnnotationIgnored', name, 'The status of a redirect has no effect without its target.');
}
