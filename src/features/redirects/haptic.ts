import { key } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import { bool, integer } from '../values/basic.ts';
import { strictRedirectCode } from './codes.ts';
import { location, rootPath } from './location.ts';
import { defaultHttps, firstRedirect, reportUseless } from './nginx.ts';
import type { HttpsRedirectPolicy, RedirectsPolicy } from './policy.ts';

const flag = { parse: bool, onInvalid: 'default', scope: 'ingress', value: 'true or false' } as const;
const code = { parse: strictRedirectCode, onInvalid: 'default', scope: 'ingress', value: '301, 302, 303, 307 or 308' } as const;
const url = {
  parse: location({ paths: true, variables: false }),
  onInvalid: 'default',
  scope: 'ingress',
  value: 'URL',
  default: 'none',
} as const;

export const hapticHttps = reader({
  dialect: 'haptic',
  keys: {
    on: key({
      ...flag,
      name: 'https-redirect',
      default: 'true on hosts with TLS',
      summary: 'Redirect plain http to https, also where the object has no TLS for the host.',
      difference: 'Without the key the setting ssl-redirect decides for hosts with TLS, as for every object.',
    }),
    code: key({ ...code, name: 'https-redirect-code', default: '302', summary: 'Status of the redirect to https.' }),
    port: key({
      name: 'https-redirect-port',
      parse: integer({ min: 1, max: 65_535 }),
      onInvalid: 'default',
      scope: 'ingress',
      value: 'port',
      default: '443',
      summary: 'Port in the redirect to https; turns the redirect on.',
    }),
  },
  toPolicy({ on, code, port }, context): HttpsRedirectPolicy | undefined {
    const { settings } = context;
    const wanted = on ?? (port !== undefined || settings.sslRedirect);
    if (!wanted) {
      if (context.given('code'))
        context.report('AnnotationIgnored', 'code', 'The status of the redirect to https has no effect where the redirect is off.');
      return undefined;
    }
    const when = on || port !== undefined ? 'always' : 'tls';
    return { ...defaultHttps(settings), when, code: code ?? 302, port: port ?? settings.httpsPort, trailingSlash: 'keep' };
  },
});

export const hapticRedirects = reader({
  dialect: 'haptic',
  keys: {
    permanent: key({
      ...url,
      name: 'permanent-redirect',
      summary: 'Redirect every request of the paths, with status 301.',
      difference: 'Applies to the paths of the object; HAPTIC applies it to the whole host.',
    }),
    permanentCode: key({ ...code, name: 'permanent-redirect-code', default: '301', summary: 'Status of `permanent-redirect`.' }),
    temporary: key({
      ...url,
      name: 'temporary-redirect',
      summary: 'Redirect every request of the paths, with status 302; wins over `permanent-redirect`.',
    }),
    temporaryCode: key({ ...code, name: 'temporary-redirect-code', default: '302', summary: 'Status of `temporary-redirect`.' }),
    root: key({
      ...url,
      name: 'root-redirect',
      parse: rootPath,
      scope: 'host',
      value: 'path',
      summary: 'Redirect `/` of the hosts to this path, with status 302.',
    }),
    www: key({
      ...flag,
      name: 'apex-www-redirect',
      scope: 'host',
      default: 'false',
      summary: 'Redirect between `www.` and the bare name, whichever the object does not serve, with status 301.',
    }),
    missing: key({
      ...url,
      name: 'default-backend-redirect',
      scope: 'host',
      summary: 'Redirect what no path of the hosts takes, with status 302.',
    }),
    missingCode: key({
      ...code,
      name: 'default-backend-redirect-code',
      scope: 'host',
      default: '302',
      summary: 'Status of `default-backend-redirect`.',
    }),
  },
  toPolicy(values, context): RedirectsPolicy | undefined {
    reportUseless(context, 'permanentCode', 'permanent');
    reportUseless(context, 'temporaryCode', 'temporary');
    reportUseless(context, 'missingCode', 'missing');
    const all = firstRedirect([values.temporary, values.temporaryCode ?? 302], [values.permanent, values.permanentCode ?? 301]);
    const policy = {
      ...(all ? { all } : {}),
      ...(values.root ? { root: { location: values.root, code: 302 as const } } : {}),
      ...(values.missing ? { missing: { location: values.missing, code: values.missingCode ?? 302 } } : {}),
      ...(values.www ? { www: 301 as const } : {}),
    };
    return Object.keys(policy).length === 0 ? undefined : policy;
  },
});
