import { key, type Parsed, parsed, problem, type ValuesOf } from '../contract/key.ts';
import { type ReadContext, reader } from '../contract/reader.ts';
import { bool, integer } from '../values/basic.ts';
import { nginxHashKey } from './hash-key.ts';
import type { HashPart, LoadBalancingPolicy } from './policy.ts';

export type Algorithm = 'round-robin' | 'least-connections' | 'random';

/** nginx's words are case-sensitive and MSE's are not; the union is read in both, since older releases knew `least_conn`. */
function algorithm(text: string): Parsed<Algorithm> {
  switch (text.trim().toLowerCase()) {
    case 'round_robin':
      return parsed('round-robin');
    case 'least_conn':
      return parsed('least-connections');
    case 'random':
      return parsed('random');
    case 'ewma':
      return parsed('least-connections', 'has no equal in this data plane; the endpoint with the fewest connections is taken');
    case 'chash':
    case 'chashsubset':
    case 'sticky_balanced':
    case 'sticky_persistent':
      return parsed('round-robin', 'does nothing by itself; upstream-hash-by or affinity asks for it');
    default:
      return problem('is not one of round_robin, ewma, least_conn and random');
  }
}

export const nginxKeys = {
  algorithm: key({
    name: 'load-balance',
    parse: algorithm,
    onInvalid: 'default',
    scope: 'backend',
    value: 'round_robin, ewma, least_conn or random',
    default: 'round_robin',
    summary: 'How an endpoint is picked for each request.',
    difference:
      'ewma is least connections: HAProxy does not weigh latencies. Each Ingress has its own algorithm for a Service, where ingress-nginx takes the oldest one’s.',
  }),
  hash: key({
    name: 'upstream-hash-by',
    parse: nginxHashKey,
    onInvalid: 'default',
    scope: 'backend',
    value: 'variables and text, such as $request_uri or ${remote_addr}-x',
    default: 'none',
    summary: 'Requests with the same text reach the same endpoint.',
    difference:
      'A request without the only variable is spread over all endpoints; ingress-nginx sends all of them to one. $request_uri is the address after rewriting.',
  }),
  subset: key({
    name: 'upstream-hash-by-subset',
    parse: bool,
    onInvalid: 'default',
    scope: 'backend',
    value: 'true or false',
    default: 'false',
    summary: 'Spreads each text over a few endpoints at random instead of one.',
    difference: 'Each text has endpoints of its own; ingress-nginx cuts the list of endpoints into fixed groups.',
  }),
  subsetSize: key({
    name: 'upstream-hash-by-subset-size',
    parse: integer({ min: 0, max: 1_000 }),
    onInvalid: 'default',
    scope: 'backend',
    value: 'whole number',
    default: '3',
    summary: 'How many endpoints a text is spread over, at most.',
  }),
} as const;

export const nginx = reader({
  dialect: 'nginx',
  keys: nginxKeys,
  toPolicy: (values, context): LoadBalancingPolicy | undefined => policyOf(values, context),
});

/** A hash wins over the algorithm; `round_robin` is what happens anyway. */
export function policyOf(values: ValuesOf<typeof nginxKeys>, context: ReadContext): LoadBalancingPolicy | undefined {
  if (values.hash !== undefined) return { algorithm: 'hash', key: { parts: values.hash, spread: spreadOf(values, context) } };
  for (const name of ['subset', 'subsetSize']) {
    if (context.given(name))
      context.report('AnnotationIgnored', name, 'This key has no effect without `upstream-hash-by`.', 'Set upstream-hash-by.');
  }
  return values.algorithm === undefined ? undefined : { algorithm: values.algorithm };
}

function spreadOf(
  values: { readonly hash?: readonly HashPart[]; readonly subset?: boolean; readonly subsetSize?: number },
  context: ReadContext,
): number {
  if (values.subset === true) return values.subsetSize || 3;
  if (context.given('subsetSize'))
    context.report('AnnotationIgnored', 'subsetSize', 'This key has no effect without `upstream-hash-by-subset: "true"`.');
  return 1;
}
