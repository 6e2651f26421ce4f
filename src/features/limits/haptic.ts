import { key, parsed, problem, type Parsed, type ValuesOf } from '../contract/key.ts';
import { type ReadContext, reader } from '../contract/reader.ts';
import { choice, integer } from '../values/basic.ts';
import { haproxyTime } from '../values/units.ts';
import type { Bucket, Concurrent, RouteCounter, Window } from './counter.ts';
import type { LimitsPolicy } from './policy.ts';
import { bucket, exemptions, positive } from './values.ts';

const common = { onInvalid: 'close', scope: 'ingress' } as const;
const limit = { ...common, parse: positive, default: 'no limit' } as const;

/** Milliseconds, 1 ms to 24 h. */
function period(text: string): Parsed<number> {
  if (/^[0-9]+$/.test(text.trim())) return problem('is not a time with a unit', 'Write a number with a unit, such as "10s".');
  const outcome = haproxyTime(text);
  if (!outcome.ok) return outcome;
  return outcome.value < 1 || outcome.value > 86_400_000 ? problem('is outside 1ms to 24h') : parsed(outcome.value);
}

const keys = {
  rps: key({
    ...limit,
    name: 'rate-limit-rps',
    value: 'requests per second',
    summary: 'Most requests of a client to a backend in a second; refused ones count too.',
  }),
  rpm: key({
    ...limit,
    name: 'rate-limit-rpm',
    value: 'requests per minute',
    summary: 'Most requests of a client to a backend in a minute; read where `rate-limit-rps` is absent.',
  }),
  connections: key({
    ...limit,
    name: 'rate-limit-connections',
    value: 'requests',
    summary:
      'Requests that a client may have in work at a backend at the same time; read where `rate-limit-rps` and `rate-limit-rpm` are absent.',
  }),
  requests: key({
    ...limit,
    name: 'rate-limit-requests',
    value: 'requests',
    summary: 'Requests of a client in `rate-limit-period`, with a burst; 429.',
    difference: 'HAPTIC counts all pods together in a store; here every replica counts for itself.',
  }),
  period: key({
    ...common,
    name: 'rate-limit-period',
    parse: period,
    value: 'time, such as 10s',
    default: '1s; 60s for rate-limit-rpm',
    summary: 'The time that the limits are meant for.',
  }),
  burst: key({
    ...limit,
    name: 'rate-limit-burst',
    value: 'requests',
    default: 'rate-limit-requests',
    summary: 'Requests that `rate-limit-requests` lets through at once.',
  }),
  key: key({
    ...common,
    name: 'rate-limit-key',
    parse: choice(['ip', 'consumer']),
    value: 'ip or consumer',
    default: 'ip',
    summary: 'What `rate-limit-requests` counts by.',
    difference: 'Consumers are counted by their address.',
  }),
  algorithm: key({
    ...common,
    name: 'rate-limit-algorithm',
    parse: choice(['token-bucket', 'gcra']),
    value: 'token-bucket or gcra',
    default: 'token-bucket',
    summary: 'How `rate-limit-requests` counts.',
    difference: 'Both give the same answers here: every request is counted exactly, in one replica.',
  }),
  status: key({
    ...common,
    name: 'rate-limit-status-code',
    parse: integer({ min: 200, max: 599 }),
    value: 'status',
    default: '429',
    summary: 'Status of requests that `-rps`, `-rpm` and `-connections` refuse.',
  }),
  exempt: key({
    ...common,
    name: 'rate-limit-allowlist',
    parse: exemptions,
    value: 'addresses or CIDRs, comma separated',
    default: 'nobody',
    summary: 'Clients that the limits do not count.',
  }),
  size: key({
    ...common,
    name: 'rate-limit-size',
    parse: parsed,
    value: 'number with k, m or g',
    default: '100k',
    summary: 'How many clients are remembered.',
    status: { is: 'no-op', why: 'all limits share one table of a fixed size, which forgets the clients seen longest ago' },
  }),
};

type Values = ValuesOf<typeof keys>;

export const haptic = reader({
  dialect: 'haptic',
  keys,
  toPolicy(values, context): LimitsPolicy | undefined {
    reportUnused(values, context);
    const own = capCounter(values);
    const shared = sharedCounter(values, context);
    if (own && shared) return { counters: [own, shared] };
    const only = own ?? shared;
    return only && { counters: [only] };
  },
});

/** The cap of one pod: by client and backend. */
function capCounter(values: Values): RouteCounter | undefined {
  const refusal = { type: 'status', status: values.status ?? 429 } as const;
  const base = { scope: 'backend', per: 'client', exempt: values.exempt ?? [], buckets: [] } as const;
  const window: Window | undefined =
    values.rps !== undefined
      ? { requests: values.rps, period: values.period ?? 1_000, refusal }
      : values.rpm !== undefined
        ? { requests: values.rpm, period: values.period ?? 60_000, refusal }
        : undefined;
  if (window !== undefined) return { ...base, window };
  const concurrent: Concurrent | undefined = values.connections === undefined ? undefined : { requests: values.connections, refusal };
  return concurrent && { ...base, concurrent };
}

const MAX_DRAIN = 3_600_000;

/** HAPTIC's limit of the whole fleet: by client and object. */
function sharedCounter(values: Values, context: ReadContext): RouteCounter | undefined {
  if (values.requests === undefined) return undefined;
  const period = values.period ?? 1_000;
  const burst = values.burst ?? values.requests;
  if ((burst * period) / values.requests > MAX_DRAIN) {
    context.report(
      'InvalidAnnotation',
      values.burst === undefined ? 'period' : 'burst',
      '`rate-limit-burst` × `rate-limit-period` / `rate-limit-requests` is more than an hour; the routes are closed.',
      'Lower the burst or the period.',
    );
    context.close(503);
    return undefined;
  }
  if (values.key === 'consumer')
    context.report('AnnotationAdjusted', 'key', '`rate-limit-key: consumer` counts by client address.', 'Write "ip".');
  const one: Bucket = bucket({ requests: values.requests, period, burst: burst - 1, refusal: { type: 'status', status: 429 } });
  return { scope: 'object', per: 'client', exempt: values.exempt ?? [], buckets: [one] };
}

function reportUnused(values: Values, context: ReadContext): void {
  const { rps, rpm, connections, requests } = values;
  const ignored = (name: keyof Values, because: string) => {
    if (values[name] !== undefined) context.report('AnnotationIgnored', name, `\`${keys[name].name}\` has no effect ${because}.`);
  };
  if (rps !== undefined) ignored('rpm', 'beside `rate-limit-rps`');
  if (rps !== undefined || rpm !== undefined) ignored('connections', 'beside `rate-limit-rps` or `rate-limit-rpm`');
  if (requests === undefined) for (const name of ['burst', 'key', 'algorithm'] as const) ignored(name, 'without `rate-limit-requests`');
  const capped = rps !== undefined || rpm !== undefined || connections !== undefined;
  if (!capped) ignored('status', 'without `rate-limit-rps`, `rate-limit-rpm` or `rate-limit-connections`');
  if (!capped && requests === undefined) ignored('exempt', 'without a limit');
  if (rps === undefined && rpm === undefined && requests === undefined) ignored('period', 'without a rate');
}
