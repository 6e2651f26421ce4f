import type { BackendPart } from '../../haproxy/feature.ts';
import { format, hap, type Token, word, words } from '../../haproxy/tokens.ts';
import type { HashKey, HashPart, HashVariable, LoadBalancingPolicy } from './policy.ts';

const loadBalancing: BackendPart<'load-balancing'> = {
  level: 'backend',
  feature: 'load-balancing',
  profile: balanceLines,
  // Every replica must place a server at the same points of the ring, so its address counts and not its number.
  server: (policy) => (isHash(policy) ? [hap`hash-key`, hap`addr-port`] : []),
};

function isHash({ algorithm }: LoadBalancingPolicy): boolean {
  return algorithm === 'hash' || algorithm === 'uri';
}

/** Only a consistent hash allows servers to come and go at run time; avalanche spreads similar keys. */
const CONSISTENT = hap`hash-type consistent sdbm avalanche`;

function balanceLines(policy: LoadBalancingPolicy): readonly Token[] {
  switch (policy.algorithm) {
    case 'round-robin':
      return [hap`balance roundrobin`];
    case 'least-connections':
      return [hap`balance leastconn`];
    case 'random':
      return [hap`balance random`];
    case 'first':
      return [hap`balance first`];
    case 'uri': {
      const whole = policy.whole ? [hap`whole`] : [];
      const length = policy.length > 0 ? [hap`len ${policy.length}`] : [];
      const depth = policy.depth > 0 ? [hap`depth ${policy.depth}`] : [];
      return [words([hap`balance uri`, ...whole, ...length, ...depth]), CONSISTENT];
    }
    case 'hash':
      return [keyRule(policy.key), hap`balance hash var(txn.lb_key)`, CONSISTENT];
  }
}

/** Without its only variable there is no key, and HAProxy spreads the request. */
function keyRule({ parts, spread }: HashKey): Token {
  const [only, ...more] = parts;
  const needed = only !== undefined && more.length === 0 && 'variable' in only ? hap` if { ${fetchOf(only)} -m found }` : hap``;
  const drawn = spread > 1 ? [hap`'#'%[rand(${spread})]`] : [];
  const text = [...parts.map(formatPart), ...drawn].reduce((all, part) => hap`${all}${part}`);
  return hap`http-request set-var-fmt(txn.lb_key) ${text}${needed}`;
}

function formatPart(part: HashPart): Token {
  return 'text' in part ? format(part.text) : hap`%[${fetchOf(part)}]`;
}

function fetchOf(part: HashVariable): Token {
  switch (part.variable) {
    case 'uri':
      return hap`pathq`;
    case 'path':
      return hap`path`;
    case 'query':
      return hap`query`;
    case 'host':
      return hap`var(txn.h)`;
    case 'client-address':
      return hap`src`;
    case 'method':
      return hap`method`;
    case 'scheme':
      return hap`ssl_fc,iif(https,http)`;
    case 'header':
      return hap`req.fhdr(${word(part.name)})`;
    case 'cookie':
      return hap`req.cook(${word(part.name)})`;
    case 'argument':
      return hap`url_param(${word(part.name)})`;
  }
}

const endpointLimits: BackendPart<'endpoint-limits'> = {
  level: 'backend',
  feature: 'endpoint-limits',
  profile: ({ full }) => (full === undefined ? [] : [hap`fullconn ${full}`]),
  server: ({ connections, queue, weight, warmup }) => [
    ...(connections === undefined ? [] : [hap`maxconn`, hap`${connections}`]),
    ...(queue === undefined ? [] : [hap`maxqueue`, hap`${queue}`]),
    ...(weight === undefined ? [] : [hap`weight`, hap`${weight}`]),
    ...(warmup === undefined ? [] : [hap`slowstart`, hap`${warmup}s`]),
  ],
};

export const parts = [loadBalancing, endpointLimits] as const;
