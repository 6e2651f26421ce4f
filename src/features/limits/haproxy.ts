import type { RoutePart, Rule } from '../../haproxy/feature.ts';
import { clientAddressLines, networkListRows, networks } from '../../haproxy/networks.ts';
import { hap, type Token } from '../../haproxy/tokens.ts';
import { bandwidth } from './haproxy-bandwidth.ts';
import {
  answerLine,
  bucketCountLines,
  bucketTestLines,
  concurrentLines,
  counterRow,
  counterVariants,
  exemptList,
  PLACES,
  type Place,
  refusalName,
  refusalsOf,
  STICK_TABLE,
  trackLines,
  windowLines,
} from './haproxy-counters.ts';
import type { RouteCounter } from './counter.ts';
import type { LimitsPolicy } from './policy.ts';

/**
 * Everything that varies is a row; variants name only the kinds of counting and of answers in use, so
 * that a plain `limit-rps` doesn't pay for the rest. All tests stand before all counting, since a
 * request that one bucket refuses must not fill another (nginx, limit_req).
 */
const limits: RoutePart<'limits'> = {
  level: 'route',
  feature: 'limits',
  tables: [networks, ...PLACES.map(({ table }) => table)],
  rows: (policy, route) => placed(policy).map(([place, counter]) => counterRow(place, counter, route)),
  shared: (policy) => policy.counters.filter(({ exempt }) => exempt.length > 0).map((counter) => networkListRows(exemptList(counter))),
  variants: (policy) => [
    ...placed(policy).flatMap(([place, counter]) => counterVariants(place, counter)),
    ...policy.counters.flatMap(refusalsOf).map((refusal) => `answer-${refusalName(refusal)}`),
  ],
  peerTables: () => [STICK_TABLE],
  rules(context) {
    const { inUse, variants } = context;
    const places = PLACES.filter(({ sc }) => variants.some((name) => name.startsWith(String(sc))));
    const each = (kind: string, lines: (place: Place) => readonly Token[]) =>
      places.filter(({ sc }) => variants.includes(`${sc}${kind}`)).flatMap(lines);
    const all = [
      ...clientAddressLines(inUse),
      ...places.flatMap((place) => trackLines(place, context)),
      hap`http-request set-var(txn.lnow) date(0,ms),and(4294967295) if ${inUse}`,
      ...each('a', (place) => bucketTestLines(place, 'a')),
      ...each('b', (place) => bucketTestLines(place, 'b')),
      ...each('w', windowLines),
      ...each('a', (place) => bucketCountLines(place, 'a')),
      ...each('b', (place) => bucketCountLines(place, 'b')),
      ...each('c', concurrentLines),
      ...variants.filter((name) => name.startsWith('answer-')).map((name) => answerLine(name.slice('answer-'.length))),
    ];
    return all.map((line): Rule => ({ phase: 'limit', line }));
  },
};

function placed({ counters }: LimitsPolicy): readonly (readonly [Place, RouteCounter])[] {
  const [first, second] = counters;
  return second === undefined
    ? [[PLACES[0], first]]
    : [
        [PLACES[0], first],
        [PLACES[1], second],
      ];
}

export const parts = [limits, bandwidth] as const;
