import { quote } from '../../diagnostics/diagnostic.ts';
import { key } from '../contract/key.ts';
import { type ReadContext, reader } from '../contract/reader.ts';
import { choice, printable } from '../values/basic.ts';
import { headerValue } from '../values/http.ts';
import { bounded } from './bounds.ts';
import { type HeaderLine, type HeadersPolicy, NO_OPERATIONS, type ResponseRewritePolicy } from './policy.ts';
import { checkedName, replacement, upstreamHost, urlText } from './values.ts';

const host = key({
  name: 'upstream-vhost',
  parse: upstreamHost,
  onInvalid: 'default',
  scope: 'ingress',
  value: 'host name; may name $service_name and $namespace',
  default: 'the host of the request',
  summary: 'Host that the application is asked for; X-Forwarded-Host keeps the original.',
  difference: 'Of nginx variables $service_name, $service_port, $namespace and $host are known.',
});

const custom = key({
  name: 'custom-headers',
  parse: printable(512),
  onInvalid: 'skip',
  scope: 'ingress',
  value: 'namespace/name of a ConfigMap',
  default: 'none',
  summary: 'Set the headers that a ConfigMap lists on every answer; the operator allows their names.',
  difference: 'A header that can not be set is left out and reported; ingress-nginx answers 503.',
});

const connection = key({
  name: 'connection-proxy-header',
  parse: choice(['close', 'keep-alive'], { ignoreCase: true }),
  onInvalid: 'default',
  scope: 'ingress',
  value: 'close or keep-alive',
  default: 'keep-alive',
  summary: 'Connection header of the request to the application: `close` ends the connection after each answer.',
  difference: '`keep-alive` is what HAProxy does anyway, and WebSockets keep working with it.',
});

export const nginx = reader({
  dialect: 'nginx',
  keys: { host, custom, connection },
  toPolicy(values, context): HeadersPolicy | undefined {
    const set = values.custom === undefined ? [] : customHeaders(values.custom, context);
    const response = bounded({ ...NO_OPERATIONS, set }, 2_500, 'custom', context);
    const close = values.connection === 'close';
    if (values.host === undefined && response.set.length === 0 && !close) return undefined;
    const vhost = values.host?.replaceAll('$namespace', context.namespace);
    return {
      ...(vhost === undefined ? {} : { host: vhost }),
      request: NO_OPERATIONS,
      response,
      ...(close ? { connection: 'close' as const } : {}),
    };
  },
});

function customHeaders(reference: string, context: ReadContext): readonly HeaderLine[] {
  const map = context.configMap(reference);
  if (map === undefined) {
    context.report(
      'AnnotationIgnored',
      'custom',
      `There is no ConfigMap ${quote(reference)} that this object may use; no header is set.`,
      'Write namespace/name of a ConfigMap in the same namespace.',
    );
    return [];
  }
  const allowed = new Set(context.settings.allowedResponseHeaders.map((name) => name.toLowerCase()));
  return Object.entries(map.data).flatMap(([name, text]) => {
    const good = checkedName(name, 'response');
    const value = headerValue(text.trim());
    const reason = !good.ok
      ? good.problem
      : !value.ok
        ? `its value ${value.problem}`
        : allowed.has(name.toLowerCase())
          ? undefined
          : 'is not among the response headers that the operator allows';
    if (reason === undefined && value.ok) return [{ name, value: value.value }];
    context.report('AnnotationIgnored', 'custom', `Header ${quote(name)} of the ConfigMap is not set: ${reason ?? 'it is not usable'}.`);
    return [];
  });
}

const off = { onInvalid: 'default', scope: 'ingress', default: 'off' } as const;

export const nginxRewrite = reader({
  dialect: 'nginx',
  keys: {
    from: key({
      ...off,
      name: 'proxy-redirect-from',
      parse: urlText,
      value: 'URL prefix or off',
      summary: 'Start of a Location or Refresh of the application that is replaced.',
      difference: '`default` does nothing.',
    }),
    to: key({
      ...off,
      name: 'proxy-redirect-to',
      parse: urlText,
      value: 'URL prefix or off',
      summary: 'What `proxy-redirect-from` is replaced with.',
    }),
    cookiePath: key({
      ...off,
      name: 'proxy-cookie-path',
      parse: replacement({ off: true }),
      value: 'two paths or off',
      summary: 'Replace the start of the Path of cookies.',
      difference: 'Regular expressions are not honoured.',
    }),
    cookieDomain: key({
      ...off,
      name: 'proxy-cookie-domain',
      parse: replacement({ off: true }),
      value: 'two host names or off',
      summary: 'Replace the Domain of cookies.',
      difference: 'Regular expressions are not honoured.',
    }),
  },
  toPolicy({ from, to, cookiePath, cookieDomain }, context): ResponseRewritePolicy | undefined {
    const real = (text: string | undefined) => text !== undefined && text !== 'off' && text !== 'default';
    if (real(from) !== real(to) && from !== 'default' && from !== 'off' && to !== 'off') {
      context.report(
        'AnnotationIgnored',
        real(from) ? 'from' : 'to',
        'Of proxy-redirect-from and proxy-redirect-to one has no effect without the other.',
      );
    }
    return rewritePolicy({
      ...(from !== undefined && to !== undefined && real(from) && real(to) ? { location: { from, to } } : {}),
      ...(cookiePath ? { cookiePath } : {}),
      ...(cookieDomain ? { cookieDomain } : {}),
    });
  },
});

export function rewritePolicy(policy: ResponseRewritePolicy): ResponseRewritePolicy | undefined {
  return Object.keys(policy).length === 0 ? undefined : policy;
}
