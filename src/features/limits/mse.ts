import { key, type KeySpec, type ValuesOf } from '../contract/key.ts';
import { type ReadContext, reader } from '../contract/reader.ts';
import { choice, integer, printable } from '../values/basic.ts';
import { redirectTarget } from '../values/http.ts';
import { type Bucket, MAX_REQUESTS, type Refusal, type RouteCounter } from './counter.ts';
import { clientCounter, nginxKeys } from './nginx.ts';
import type { LimitsPolicy } from './policy.ts';
import { bucket, bucketsOf, positive } from './values.ts';

const common = { scope: 'ingress' } as const;
const PER_REPLICA = 'MSE counts all gateway nodes together; here every replica counts for itself.';

const routeKeys = {
  routeRps: key({
    ...common,
    name: 'route-limit-rps',
    parse: positive,
    onInvalid: 'close',
    value: 'requests per second',
    default: 'no limit',
    summary: 'Requests a second to a route, of all clients together; 429.',
    difference:
      'The bucket drains evenly instead of once a second; canaries of a route share its bucket; a bad value closes the routes instead of lifting the limit.',
  }),
  routeRpm: key({
    ...common,
    name: 'route-limit-rpm',
    parse: positive,
    onInvalid: 'close',
    value: 'requests per minute',
    default: 'no limit',
    summary: 'Requests a minute to a route, of all clients together; counts instead of `route-limit-rps`; 429.',
    difference:
      'The bucket drains evenly instead of once a minute; canaries of a route share its bucket; a bad value closes the routes instead of lifting the limit.',
  }),
  routeMultiplier: key({
    ...common,
    name: 'route-limit-burst-multiplier',
    parse: integer({ min: 1, max: 1_000_000 }),
    onInvalid: 'default',
    value: 'positive number',
    default: '5',
    summary: 'How many times `route-limit-rps` or `route-limit-rpm` fit at once.',
  }),
};

const rate = limitKey(
  'rate-limit',
  'requests per second',
  'Requests a second to each route, of all clients together.',
  `${PER_REPLICA} The window slides as a bucket of the same size.`,
);
const concurrency = limitKey('concurrency-limit', 'requests', 'Requests to each route that may be in work at the same time.', PER_REPLICA);

function limitKey<const N extends string>(name: N, value: string, summary: string, difference: string): KeySpec<number> {
  return key({
    ...common,
    name,
    parse: positive,
    onInvalid: 'close',
    value,
    default: 'no limit',
    summary,
    difference: `${difference} A bad value closes the routes.`,
  });
}

function fallbackKeys(of: 'rate-limit' | 'concurrency-limit') {
  return {
    code: key({
      ...common,
      name: `${of}-fallback-custom-response-code`,
      parse: integer({ min: 200, max: 599 }),
      onInvalid: 'default',
      value: 'status 200 to 599',
      default: '429',
      summary: `Status of a request that \`${of}\` refuses.`,
    }),
    type: key({
      ...common,
      name: `${of}-fallback-custom-response-body-type`,
      parse: choice(['text', 'json']),
      onInvalid: 'default',
      value: 'text or json',
      default: 'text',
      summary: `Content type of the body that \`${of}\` answers.`,
    }),
    body: key({
      ...common,
      name: `${of}-fallback-custom-response-body`,
      parse: printable(4_096),
      onInvalid: 'default',
      value: 'text',
      default: 'sentinel rate limited',
      summary: `Body of a request that \`${of}\` refuses.`,
    }),
    redirect: key({
      ...common,
      name: `${of}-fallback-redirect-url`,
      parse: fallbackTarget,
      onInvalid: 'default',
      value: 'URL',
      default: 'none',
      summary: `Where a request that \`${of}\` refuses is sent by a 302, instead of an answer of its own.`,
    }),
  };
}

/** MSE's documents show URLs without a scheme: they keep the request's. */
function fallbackTarget(text: string) {
  const trimmed = text.trim();
  const complete = /^https?:\/\//i.test(trimmed) || trimmed.startsWith('/');
  const outcome = redirectTarget(complete ? trimmed : `http://${trimmed}`);
  return complete || !outcome.ok ? outcome : { ...outcome, value: outcome.value.slice('http:'.length) };
}

const rateFallback = fallbackKeys('rate-limit');
const concurrencyFallback = fallbackKeys('concurrency-limit');

const mseKeys = {
  ...nginxKeys,
  ...routeKeys,
  rate,
  rateCode: rateFallback.code,
  rateType: rateFallback.type,
  rateBody: rateFallback.body,
  rateRedirect: rateFallback.redirect,
  concurrency,
  concurrencyCode: concurrencyFallback.code,
  concurrencyType: concurrencyFallback.type,
  concurrencyBody: concurrencyFallback.body,
  concurrencyRedirect: concurrencyFallback.redirect,
};

type Values = ValuesOf<typeof mseKeys>;

export const mse = reader({
  dialect: 'mse',
  keys: mseKeys,
  toPolicy(values, context): LimitsPolicy | undefined {
    const client = clientCounter(values, context);
    const route = routeCounter(values, context);
    if (client && route) return { counters: [client, route] };
    const only = client ?? route;
    return only && { counters: [only] };
  },
});

function routeCounter(values: Values, context: ReadContext): RouteCounter | undefined {
  reportUnused(values, context);
  const buckets = bucketsOf(routeBucket(values, context), sentinelBucket(values));
  const concurrent =
    values.concurrency === undefined ? undefined : { requests: values.concurrency, refusal: refusal(values, 'concurrency') };
  if (buckets.length === 0 && concurrent === undefined) return undefined;
  return { scope: 'route', per: 'everyone', exempt: [], buckets, ...(concurrent === undefined ? {} : { concurrent }) };
}

/** Envoy's token bucket holds `limit` × multiplier tokens: one of them is the request itself. */
function routeBucket({ routeRps, routeRpm, routeMultiplier }: Values, context: ReadContext): Bucket | undefined {
  const requests = routeRpm ?? routeRps;
  if (requests === undefined) return undefined;
  if (routeRpm !== undefined && routeRps !== undefined)
    context.report('AnnotationIgnored', 'routeRps', '`route-limit-rps` is not read beside `route-limit-rpm`.');
  const capacity = Math.min(requests * (routeMultiplier ?? 5), MAX_REQUESTS);
  return bucket({ requests, period: routeRpm === undefined ? 1_000 : 60_000, burst: capacity - 1, refusal: { type: 'mse-local' } });
}

function sentinelBucket(values: Values): Bucket | undefined {
  if (values.rate === undefined) return undefined;
  return bucket({ requests: values.rate, period: 1_000, burst: values.rate - 1, refusal: refusal(values, 'rate') });
}

function refusal(values: Values, of: 'rate' | 'concurrency'): Refusal {
  const location = values[`${of}Redirect`];
  if (location !== undefined) return { type: 'redirect', location };
  return {
    type: 'text',
    status: values[`${of}Code`] ?? 429,
    format: values[`${of}Type`] ?? 'text',
    body: values[`${of}Body`] ?? 'sentinel rate limited',
  };
}

function reportUnused(values: Values, context: ReadContext): void {
  if (values.routeMultiplier !== undefined && values.routeRps === undefined && values.routeRpm === undefined) {
    context.report(
      'AnnotationIgnored',
      'routeMultiplier',
      '`route-limit-burst-multiplier` has no effect without `route-limit-rps` or `route-limit-rpm`.',
    );
  }
  for (const of of ['rate', 'concurrency'] as const) {
    for (const part of ['Code', 'Type', 'Body', 'Redirect'] as const) {
      const name = `${of}${part}` as const;
      if (values[name] === undefined) continue;
      if (values[of] === undefined)
        context.report('AnnotationIgnored', name, `\`${mseKeys[name].name}\` has no effect without \`${mseKeys[of].name}\`.`);
      else if (part !== 'Redirect' && values[`${of}Redirect`] !== undefined)
        context.report('AnnotationIgnored', name, `\`${mseKeys[name].name}\` has no effect beside \`${mseKeys[`${of}Redirect`].name}\`.`);
    }
  }
}
