import { key, type Parsed, parsed, problem } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import { integer } from '../values/basic.ts';
import { fetchWithName, hapticHashKey } from './hash-key.ts';
import type { EndpointLimitsPolicy, HashPart, LoadBalancingPolicy } from './policy.ts';

/** HAProxy's own words for `balance`, but for those that need a fixed list of servers or another protocol. */
function algorithm(text: string): Parsed<LoadBalancingPolicy> {
  const words = text.trim();
  switch (words) {
    case 'roundrobin':
      return parsed({ algorithm: 'round-robin' });
    case 'static-rr':
      return parsed({ algorithm: 'round-robin' }, 'needs a list of endpoints that never changes; roundrobin is used');
    case 'leastconn':
      return parsed({ algorithm: 'least-connections' });
    case 'first':
      return parsed({ algorithm: 'first' });
    case 'source':
      return parsed(hashBy({ variable: 'client-address' }));
    case 'random':
      return parsed({ algorithm: 'random' });
  }
  if (/^random\([0-9]{1,3}\)$/.test(words)) return parsed({ algorithm: 'random' }, 'is used as random with two draws');
  const uri = uriAlgorithm(words);
  const variable = fetchWithName(words);
  if (uri !== undefined) return parsed(uri);
  if (variable !== undefined) return parsed(hashBy(variable));
  return problem(
    'is not an algorithm that is supported',
    'Use roundrobin, leastconn, first, source, random, uri, url_param(NAME) or hdr(NAME).',
  );
}

/** `uri`, `uri whole`, `uri len 12 depth 3`. */
function uriAlgorithm(text: string): LoadBalancingPolicy | undefined {
  const match = /^uri((?: (?:whole|len [0-9]{1,5}|depth [0-9]{1,3}))*)$/.exec(text.replaceAll(/\s+/g, ' '));
  if (match === null) return undefined;
  const options = match[1] ?? '';
  const number = (name: string) => Number(new RegExp(`${name} ([0-9]+)`).exec(options)?.[1] ?? 0);
  return { algorithm: 'uri', whole: options.includes('whole'), length: number('len'), depth: number('depth') };
}

function hashBy(part: HashPart): LoadBalancingPolicy {
  return { algorithm: 'hash', key: { parts: [part], spread: 1 } };
}

const common = { onInvalid: 'default', scope: 'backend', default: 'none' } as const;

export const haptic = reader({
  dialect: 'haptic',
  keys: {
    algorithm: key({
      ...common,
      name: 'load-balance',
      parse: algorithm,
      value: 'roundrobin, leastconn, first, source, random, uri, url_param(NAME) or hdr(NAME)',
      default: 'roundrobin',
      summary: 'How an endpoint is picked for each request.',
      difference: 'static-rr is roundrobin and rdp-cookie is refused; hashes are always consistent.',
    }),
    hash: key({
      ...common,
      name: 'consistent-hash-by',
      parse: hapticHashKey,
      value: 'uri, source, $http_NAME, $arg_NAME, $cookie_NAME or a fetch such as req.hdr(NAME)',
      summary: 'Requests with the same value reach the same endpoint.',
      difference: 'Of HAProxy’s expressions only single fetches are taken; others would be raw configuration.',
    }),
  },
  toPolicy({ algorithm: chosen, hash }, context): LoadBalancingPolicy | undefined {
    if (hash === undefined) return chosen;
    if (context.given('algorithm'))
      context.report('AnnotationIgnored', 'algorithm', '`load-balance` has no effect beside `consistent-hash-by`.', 'Keep one of the two.');
    return { algorithm: 'hash', key: { parts: hash, spread: 1 } };
  },
});

const positive = integer({ min: 1, max: 1_000_000 });

export const hapticLimits = reader({
  dialect: 'haptic',
  keys: {
    connections: key({
      ...common,
      name: 'maxconn-server',
      parse: positive,
      value: 'whole number',
      summary: 'Most connections to one endpoint; more requests wait.',
    }),
    fleet: key({
      ...common,
      name: 'pod-maxconn',
      parse: positive,
      value: 'whole number',
      summary: 'Most connections of all replicas to one endpoint.',
      difference: 'A replica does not know how many there are, so each allows the whole number.',
    }),
    queue: key({
      ...common,
      name: 'maxqueue-server',
      parse: positive,
      value: 'whole number',
      summary: 'Most requests that wait for one endpoint; more go to another one.',
    }),
    weight: key({
      ...common,
      name: 'initial-weight',
      parse: integer({ min: 0, max: 256 }),
      value: '0 to 256',
      summary: 'Weight of every endpoint of the Service; 0: no new requests.',
    }),
    full: key({
      ...common,
      name: 'fullconn',
      parse: positive,
      value: 'whole number',
      summary: 'Load at which the endpoints’ limits are reached.',
    }),
  },
  toPolicy({ connections, fleet, queue, weight, full }, context): EndpointLimitsPolicy | undefined {
    if (connections !== undefined && fleet !== undefined)
      context.report('AnnotationIgnored', 'fleet', '`pod-maxconn` has no effect beside `maxconn-server`.', 'Keep one of the two.');
    const limit = connections ?? fleet;
    const policy = {
      ...(limit === undefined ? {} : { connections: limit }),
      ...(queue === undefined ? {} : { queue }),
      ...(weight === undefined ? {} : { weight }),
      ...(full === undefined ? {} : { full }),
    };
    return Object.keys(policy).length === 0 ? undefined : policy;
  },
});
