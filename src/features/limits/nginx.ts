import { type Parsed, key, parsed } from '../contract/key.ts';
import { type ReadContext, reader } from '../contract/reader.ts';
import type { ValuesOf } from '../contract/key.ts';
import type { RouteCounter } from './counter.ts';
import type { LimitsPolicy } from './policy.ts';
import { bucket, bucketsOf, exemptions, limitOrOff, multiplier } from './values.ts';

const limit = { parse: limitOrOff, onInvalid: 'close', scope: 'ingress', default: 'no limit' } as const;

/** Two spellings of the exemptions: whether a bad one counts depends on the other. */
type Spelling = Parsed<readonly string[]> | 'empty';

function spelling(text: string): Parsed<Spelling> {
  return parsed(text.trim() === '' ? 'empty' : exemptions(text));
}

const exempt = {
  parse: spelling,
  onInvalid: 'close',
  scope: 'ingress',
  value: 'addresses or CIDRs, comma separated',
  default: 'nobody',
} as const;

export const nginxKeys = {
  connections: key({
    ...limit,
    name: 'limit-connections',
    value: 'requests',
    summary: 'Requests that a client may have in work at the same time, over all routes of the object.',
    difference: 'Requests that the rate limits refuse are never in work, and so are not counted here.',
  }),
  rps: key({
    ...limit,
    name: 'limit-rps',
    value: 'requests per second',
    summary: 'Requests a second of a client, over all routes of the object; up to five seconds worth at once.',
  }),
  rpm: key({
    ...limit,
    name: 'limit-rpm',
    value: 'requests per minute',
    summary: 'Requests a minute of a client, over all routes of the object; up to five minutes worth at once.',
  }),
  multiplier: key({
    name: 'limit-burst-multiplier',
    parse: multiplier,
    onInvalid: 'default',
    scope: 'ingress',
    value: 'number',
    default: '5',
    summary: 'How many times the limit a client may send at once, beyond the first request.',
  }),
  exempt: key({
    ...exempt,
    name: 'limit-allowlist',
    summary: 'Clients that `limit-connections`, `limit-rps` and `limit-rpm` do not count.',
  }),
  oldExempt: key({ ...exempt, name: 'limit-whitelist', summary: 'Old spelling of `limit-allowlist`, read where that is absent or empty.' }),
};

export const nginx = reader({
  dialect: 'nginx',
  keys: nginxKeys,
  toPolicy(values, context): LimitsPolicy | undefined {
    const counter = clientCounter(values, context);
    return counter && { counters: [counter] };
  },
});

/** ingress-nginx counts by client over all paths and hosts of one Ingress. */
export function clientCounter(values: ValuesOf<typeof nginxKeys>, context: ReadContext): RouteCounter | undefined {
  const exempted = chooseExempt(values.exempt, values.oldExempt, context);
  const { requests: status, connections: connectionStatus } = context.settings.limitStatus;
  const times = values.multiplier ?? 5;
  const rate = (requests: number | undefined, period: number) =>
    requests === undefined || requests < 1
      ? undefined
      : bucket({ requests, period, burst: requests * times, refusal: { type: 'status', status } });
  const buckets = bucketsOf(rate(values.rps, 1_000), rate(values.rpm, 60_000));
  const concurrent = values.connections === undefined || values.connections < 1 ? undefined : values.connections;
  if (buckets.length === 0) reportUnused(values, concurrent !== undefined, context);
  if (buckets.length === 0 && concurrent === undefined) return undefined;
  const refusal = { type: 'status', status: connectionStatus } as const;
  return {
    scope: 'object',
    per: 'client',
    exempt: exempted,
    buckets,
    ...(concurrent === undefined ? {} : { concurrent: { requests: concurrent, refusal } }),
  };
}

function reportUnused(values: ValuesOf<typeof nginxKeys>, hasConcurrent: boolean, context: ReadContext): void {
  if (values.multiplier !== undefined)
    context.report('AnnotationIgnored', 'multiplier', '`limit-burst-multiplier` has no effect without `limit-rps` or `limit-rpm`.');
  const list = values.exempt !== undefined ? 'exempt' : values.oldExempt !== undefined ? 'oldExempt' : undefined;
  if (list !== undefined && !hasConcurrent)
    context.report('AnnotationIgnored', list, `\`${nginxKeys[list].name}\` has no effect without a limit.`);
}

function chooseExempt(current: Spelling | undefined, old: Spelling | undefined, context: ReadContext): readonly string[] {
  const useOld = (current === undefined || current === 'empty') && old !== undefined;
  const chosen = useOld ? old : current;
  const name = useOld ? 'oldExempt' : 'exempt';
  if (chosen === undefined) return [];
  if (!useOld && old !== undefined)
    context.report('AnnotationIgnored', 'oldExempt', '`limit-whitelist` is not read where `limit-allowlist` is set.');
  if (chosen !== 'empty' && chosen.ok) return chosen.value;
  context.report(
    'InvalidAnnotation',
    name,
    `\`${nginxKeys[name].name}\` ${chosen === 'empty' ? 'is empty' : chosen.problem}; the routes are closed.`,
    chosen === 'empty' ? 'Name at least one address, or remove the key.' : chosen.hint,
  );
  context.close(503);
  return [];
}
