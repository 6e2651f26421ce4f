import { key } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import { bool, choice, integer } from '../values/basic.ts';
import { bounded, isEmpty } from './bounds.ts';
import { rewritePolicy } from './nginx.ts';
import {
  type HeadersPolicy,
  type HstsPolicy,
  NO_OPERATIONS,
  type RequestIdPolicy,
  type ResponseRewritePolicy,
  type SourceAddressPolicy,
} from './policy.ts';
import { headerLines, hostAndPort, plainName, replacement, urlText } from './values.ts';

const common = { onInvalid: 'default', scope: 'ingress', default: 'none' } as const;
const lines = { ...common, value: '`Name value`, one a line' } as const;
const flag = { ...common, parse: bool, value: 'true or false', default: 'false' } as const;

const FORWARDED_FOR = { add: 'chain', update: undefined, ifmissing: 'keep', ignore: 'untouched' } as const;

export const haptic = reader({
  dialect: 'haptic',
  keys: {
    request: key({
      ...lines,
      name: 'request-set-header',
      parse: headerLines('request'),
      summary: 'Set headers of the request to the application.',
    }),
    response: key({ ...lines, name: 'response-set-header', parse: headerLines('response'), summary: 'Set headers of every answer.' }),
    host: key({
      ...common,
      name: 'set-host',
      parse: hostAndPort,
      value: 'host name',
      default: 'the host of the request',
      summary: 'Host that the application is asked for.',
    }),
    forwardedFor: key({
      ...common,
      name: 'forwardfor',
      parse: choice(['add', 'update', 'ifmissing', 'ignore']),
      value: 'add, update, ifmissing or ignore',
      default: 'update',
      summary: 'What happens to X-Forwarded-For: the address is added, set, set where it is missing, or nothing is done.',
      difference:
        'A value that a client sent is believed from trusted proxies only; from anybody else it is replaced in every mode, and removed with `ignore`.',
    }),
    connection: key({
      ...common,
      name: 'backend-connection-header',
      parse: choice(['close', 'keep-alive'], { ignoreCase: true }),
      value: 'close or keep-alive',
      default: 'keep-alive',
      summary: 'Connection header of the request to the application: `close` ends the connection after each answer.',
      difference: 'Only these two values: others would make headers of the request belong to the connection.',
    }),
  },
  toPolicy(values, context): HeadersPolicy | undefined {
    const request = bounded({ ...NO_OPERATIONS, set: values.request ?? [] }, 2_500, 'request', context);
    const response = bounded({ ...NO_OPERATIONS, set: values.response ?? [] }, 2_500, 'response', context);
    const forwardedFor = values.forwardedFor && FORWARDED_FOR[values.forwardedFor];
    const more = {
      ...(values.host === undefined ? {} : { host: values.host }),
      ...(values.connection === 'close' ? { connection: 'close' as const } : {}),
      ...(forwardedFor === undefined ? {} : { forwardedFor }),
    };
    return isEmpty(request) && isEmpty(response) && Object.keys(more).length === 0 ? undefined : { request, response, ...more };
  },
});

export const hapticHsts = reader({
  dialect: 'haptic',
  keys: {
    on: key({ ...flag, name: 'hsts', default: 'the setting', summary: 'Tell browsers to use https only; `false`: do not tell them.' }),
    maxAge: key({
      ...common,
      name: 'hsts-max-age',
      parse: integer({ min: 0, max: 2_147_483_647 }),
      value: 'seconds',
      default: '31536000',
      summary: 'How long they shall remember it.',
    }),
    subdomains: key({ ...flag, name: 'hsts-include-subdomains', summary: 'It holds for all names below the host.' }),
    preload: key({ ...flag, name: 'hsts-preload', summary: 'Allow browsers to ship the host in their lists.' }),
  },
  toPolicy({ on, maxAge, subdomains, preload }, context): HstsPolicy | undefined {
    if (on === undefined) {
      const first = ['maxAge', 'subdomains', 'preload'].find((name) => context.given(name));
      if (first !== undefined && !context.given('on'))
        context.report('AnnotationIgnored', first, 'It has no effect without `hsts`.', 'Set hsts to "true".');
      return undefined;
    }
    if (!on) return { value: '' };
    return { value: `max-age=${maxAge ?? 31_536_000}${subdomains ? '; includeSubDomains' : ''}${preload ? '; preload' : ''}` };
  },
});

export const hapticSource = reader({
  dialect: 'haptic',
  keys: {
    header: key({
      ...common,
      name: 'src-ip-header',
      parse: plainName,
      onInvalid: 'close',
      value: 'header name',
      summary: "Header that holds the client's address, for access lists, limits and what the application is told.",
      difference: 'Believed from trusted proxies only; from anybody else the address of the connection counts.',
    }),
  },
  toPolicy: ({ header }): SourceAddressPolicy | undefined => (header === undefined ? undefined : { header: header.toLowerCase() }),
});

export const hapticRequestId = reader({
  dialect: 'haptic',
  keys: {
    on: key({
      ...flag,
      name: 'request-id',
      summary: 'Give each request a new identifier of its own.',
      difference: 'Without it a request has one all the same, and keeps one that the client sent.',
    }),
    header: key({
      ...common,
      name: 'request-id-header',
      parse: plainName,
      value: 'header name',
      default: 'X-Request-ID',
      summary: 'Header that carries the identifier.',
    }),
    inbound: key({ ...flag, name: 'request-id-accept-inbound', summary: 'Keep an identifier that the client sent.' }),
  },
  toPolicy({ on, header, inbound }, context): RequestIdPolicy | undefined {
    if (on) return { header: (header ?? 'x-request-id').toLowerCase(), acceptInbound: inbound ?? false };
    const first = ['header', 'inbound'].find((name) => context.given(name));
    if (first !== undefined && !context.given('on'))
      context.report('AnnotationIgnored', first, 'It has no effect without `request-id`.', 'Set request-id to "true".');
    return undefined;
  },
});

const pair = { ...common, parse: replacement({ off: false }), value: 'two words' } as const;
const url = { ...common, parse: urlText, value: 'text' } as const;

export const hapticRewrite = reader({
  dialect: 'haptic',
  keys: {
    cookieDomain: key({ ...pair, name: 'response-cookie-domain', summary: 'Replace the Domain of cookies.' }),
    cookiePath: key({ ...pair, name: 'response-cookie-path', summary: 'Replace the start of the Path of cookies.' }),
    from: key({
      ...url,
      name: 'response-location-rewrite-from',
      summary: 'Start of a Location or Refresh of the application that is replaced.',
    }),
    to: key({ ...url, name: 'response-location-rewrite-to', summary: 'What `response-location-rewrite-from` is replaced with.' }),
  },
  toPolicy({ cookieDomain, cookiePath, from, to }, context): ResponseRewritePolicy | undefined {
    if ((from === undefined) !== (to === undefined))
      context.report(
        'AnnotationIgnored',
        from === undefined ? 'to' : 'from',
        'Of response-location-rewrite-from and -to one has no effect without the other.',
      );
    return rewritePolicy({
      ...(from !== undefined && to !== undefined ? { location: { from, to } } : {}),
      ...(cookiePath ? { cookiePath } : {}),
      ...(cookieDomain ? { cookieDomain } : {}),
    });
  },
});
