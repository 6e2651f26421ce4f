import { shortDigest } from '../../model/identity.ts';
import type { Route } from '../../model/model.ts';
import type { RuleContext } from '../../haproxy/feature.ts';
import { networkListId, networks, networkVerdict } from '../../haproxy/networks.ts';
import { plainField, row, rowTable, type Row, type RowTable } from '../../haproxy/rows.ts';
import { hap, type Token, word } from '../../haproxy/tokens.ts';
import type { Bucket, Refusal, RouteCounter } from './counter.ts';

const FIELDS = [
  'key',
  'per',
  'exempt',
  'an',
  'ap',
  'ab',
  'ax',
  'at',
  'bn',
  'bp',
  'bb',
  'bx',
  'bt',
  'wn',
  'wp',
  'wx',
  'wt',
  'cn',
  'cx',
  'ct',
] as const;

type CounterTable = RowTable<(typeof FIELDS)[number]>;

/** A counter's place: its row, and the sticky counter that holds its entry in the stick table. */
export interface Place {
  readonly sc: 1 | 2;
  readonly table: CounterTable;
}

export const PLACES: readonly [Place, Place] = [
  { sc: 1, table: rowTable('limits', 'str', FIELDS) },
  { sc: 2, table: rowTable('limits2', 'str', FIELDS) },
];

/**
 * One entry for each counted key. gpt by index: 0 and 2 the moment of the last accepted request of
 * buckets a and b, 1 and 3 their filling; 4 to 6 number, count and previous count of the window.
 */
export const STICK_TABLE = hap`table limits type string len 48 size 200k expire 1h store gpt(7),conn_cur`;

export function counterRow(place: Place, counter: RouteCounter, route: Route): Row {
  const [a, b] = counter.buckets;
  const { window, concurrent } = counter;
  return row(place.table, route.id, {
    key: scopeKey(counter, route),
    per: counter.per === 'client' ? 'c' : '',
    exempt: counter.exempt.length === 0 ? '' : networkListId(exemptList(counter)),
    ...(a && { an: a.requests * 1_000, ap: a.period, ab: a.burst * 1_000, ax: refusalName(a.refusal), at: refusalText(a.refusal) }),
    ...(b && { bn: b.requests * 1_000, bp: b.period, bb: b.burst * 1_000, bx: refusalName(b.refusal), bt: refusalText(b.refusal) }),
    ...(window && { wn: window.requests, wp: window.period, wx: refusalName(window.refusal), wt: refusalText(window.refusal) }),
    ...(concurrent && { cn: concurrent.requests, cx: refusalName(concurrent.refusal), ct: refusalText(concurrent.refusal) }),
  });
}

export function exemptList({ exempt }: RouteCounter) {
  return { allow: exempt, deny: [], otherwise: 'd' } as const;
}

/** `scope` is part of the key, so that two counters of one route never share an entry. */
function scopeKey({ scope, per }: RouteCounter, { id, backend, origin }: Route): string {
  const { namespace, name } = origin;
  switch (scope) {
    case 'object':
      return shortDigest(scope, per, namespace, name);
    case 'backend':
      return shortDigest(scope, per, namespace, name, backend ?? '');
    case 'route':
      return shortDigest(scope, per, id);
  }
}

/** The rules that a counter at a place needs, beside those of its refusals. */
export function counterVariants({ sc }: Place, counter: RouteCounter): readonly string[] {
  const parts = [
    ...(counter.buckets.length > 0 ? ['a'] : []),
    ...(counter.buckets.length > 1 ? ['b'] : []),
    ...(counter.window ? ['w'] : []),
    ...(counter.concurrent ? ['c'] : []),
  ];
  return parts.map((part) => `${sc}${part}`);
}

export function refusalsOf({ buckets, window, concurrent }: RouteCounter): readonly Refusal[] {
  return [...buckets.map((one: Bucket) => one.refusal), ...(window ? [window.refusal] : []), ...(concurrent ? [concurrent.refusal] : [])];
}

/** What the answer's rule is chosen by; its text, if it has one, is data. */
export function refusalName(refusal: Refusal): string {
  switch (refusal.type) {
    case 'status':
      return `s${refusal.status}`;
    case 'mse-local':
      return 'm';
    case 'text':
      return `${refusal.format === 'json' ? 'j' : 't'}${refusal.status}`;
    case 'redirect':
      return 'r';
  }
}

function refusalText(refusal: Refusal): string {
  return refusal.type === 'text' ? refusal.body : refusal.type === 'redirect' ? refusal.location : '';
}

/** Finds the row and the entry. Routes without this counter, and exempt clients, have no `txn.lNk` and are passed over by all that follows. */
export function trackLines({ sc, table }: Place, { inUse, lookup, file }: RuleContext): readonly Token[] {
  const key = hap`txn.l${sc}k`;
  return [
    hap`http-request set-var(txn.${word(table.name)}) ${lookup(table)} if ${inUse}`,
    hap`http-request set-var(${key}) ${plainField(table, 'key')} if ${inUse} !{ ${networkVerdict(plainField(table, 'exempt'), file(networks))} -m str a }`,
    hap`http-request set-var(${key}) var(${key}),concat(@,txn.ip) if { var(${key}) -m found } { ${plainField(table, 'per')} -m str c }`,
    hap`http-request track-sc${sc} var(${key}) table local/limits if { var(${key}) -m found }`,
  ];
}

/**
 * nginx's leaky bucket (limit_req): filling in thousandths of a request, time in milliseconds. The time
 * wraps at 32 bits, the width of a gpt; a clock set back by less than a minute counts as standing still.
 */
export function bucketTestLines(place: Place, name: 'a' | 'b'): readonly Token[] {
  const { sc, table } = place;
  const v = (part: string) => hap`txn.l${sc}${word(name + part)}`;
  const index = name === 'a' ? 0 : 2;
  const counted = hap`{ var(txn.l${sc}k) -m found } { ${plainField(table, `${name}n`)} -m len gt 0 }`;
  const guard = hap`{ var(${v('n')}) -m found }`;
  return [
    hap`http-request set-var(${v('n')}) ${plainField(table, `${name}n`)} if ${counted}`,
    hap`http-request set-var(${v('p')}) ${plainField(table, `${name}p`)} if ${guard}`,
    hap`http-request set-var(${v('b')}) ${plainField(table, `${name}b`)} if ${guard}`,
    hap`http-request set-var(${v('l')}) sc_get_gpt(${index},${sc}) if ${guard}`,
    hap`http-request set-var(${v('f')}) sc_get_gpt(${index + 1},${sc}) if ${guard}`,
    hap`http-request set-var(${v('d')}) var(txn.lnow),sub(${v('l')}),and(4294967295) if ${guard}`,
    hap`http-request set-var(${v('d')}) int(0) if ${guard} { var(${v('d')}) -m int gt 4294907295 }`,
    hap`http-request set-var(${v('e')}) var(${v('d')}),mul(${v('n')}),div(${v('p')}),neg,add(${v('f')}),add(1000) if ${guard}`,
    hap`http-request set-var(${v('e')}) int(0) if ${guard} { var(${v('e')}) -m int lt 0 }`,
    ...refuseLines(place, name, hap`${guard} { var(${v('e')}),sub(${v('b')}) -m int gt 0 }`),
  ];
}

/** Only accepted requests fill a bucket. */
export function bucketCountLines({ sc }: Place, name: 'a' | 'b'): readonly Token[] {
  const index = name === 'a' ? 0 : 2;
  const guard = hap`!{ var(txn.lx) -m found } { var(txn.l${sc}${word(name)}n) -m found }`;
  return [
    hap`http-request sc-set-gpt(${index},${sc}) var(txn.lnow) if ${guard}`,
    hap`http-request sc-set-gpt(${index + 1},${sc}) var(txn.l${sc}${word(name)}e) if ${guard}`,
  ];
}

/** HAProxy's own estimate of a sliding window: this period's count and the part of the last one's that is still in view. */
export function windowLines(place: Place): readonly Token[] {
  const { sc, table } = place;
  const v = (part: string) => hap`txn.l${sc}w${word(part)}`;
  const guard = hap`{ var(${v('p')}) -m found }`;
  const same = hap`{ var(${v('a')}) -m int 0 }`;
  return [
    hap`http-request set-var(${v('p')}) ${plainField(table, 'wp')} if { var(txn.l${sc}k) -m found } { ${plainField(table, 'wp')} -m len gt 0 }`,
    hap`http-request set-var(${v('n')}) ${plainField(table, 'wn')} if ${guard}`,
    hap`http-request set-var(${v('i')}) date(0,ms),div(${v('p')}),and(4294967295) if ${guard}`,
    hap`http-request set-var(${v('l')}) sc_get_gpt(4,${sc}) if ${guard}`,
    // How many periods ago the entry was last written: 0, 1, or so many that its counts are of no interest.
    hap`http-request set-var(${v('a')}) var(${v('i')}),sub(${v('l')}) if ${guard}`,
    hap`http-request set-var(${v('c')}) int(0) if ${guard}`,
    hap`http-request set-var(${v('q')}) int(0) if ${guard}`,
    hap`http-request set-var(${v('c')}) sc_get_gpt(5,${sc}) if ${guard} ${same}`,
    hap`http-request set-var(${v('q')}) sc_get_gpt(6,${sc}) if ${guard} ${same}`,
    hap`http-request set-var(${v('q')}) sc_get_gpt(5,${sc}) if ${guard} { var(${v('a')}) -m int 1 }`,
    hap`http-request set-var(${v('c')}) var(${v('c')}),add(1) if ${guard}`,
    hap`http-request sc-set-gpt(4,${sc}) var(${v('i')}) if ${guard}`,
    hap`http-request sc-set-gpt(5,${sc}) var(${v('c')}) if ${guard}`,
    hap`http-request sc-set-gpt(6,${sc}) var(${v('q')}) if ${guard}`,
    hap`http-request set-var(${v('r')}) date(0,ms),mod(${v('p')}),neg,add(${v('p')}),mul(${v('q')}),div(${v('p')}),add(${v('c')}) if ${guard}`,
    ...refuseLines(place, 'w', hap`${guard} { var(${v('r')}),sub(${v('n')}) -m int gt 0 }`),
  ];
}

/** A request counts as one from its first rule to the end of its answer. */
export function concurrentLines(place: Place): readonly Token[] {
  const { sc, table } = place;
  const limit = hap`txn.l${sc}cn`;
  return [
    hap`http-request set-var(${limit}) ${plainField(table, 'cn')} if { var(txn.l${sc}k) -m found } { ${plainField(table, 'cn')} -m len gt 0 }`,
    ...refuseLines(place, 'c', hap`{ var(${limit}) -m found } { sc_conn_cur(${sc}),sub(${limit}) -m int gt 0 }`),
  ];
}

/** The first refusal stands. */
function refuseLines({ table }: Place, name: 'a' | 'b' | 'w' | 'c', exceeded: Token): readonly Token[] {
  const condition = hap`!{ var(txn.lx) -m found } ${exceeded}`;
  return [
    hap`http-request set-var(txn.lt) ${plainField(table, `${name}t`)},url_dec if ${condition}`,
    hap`http-request set-var(txn.lx) ${plainField(table, `${name}x`)} if ${condition}`,
  ];
}

/** The answer for a refusal's name. */
export function answerLine(name: string): Token {
  const refused = hap`{ var(txn.lx) -m str ${word(name)} }`;
  const status = word(name.slice(1) || '0');
  switch (name.charAt(0)) {
    case 'm':
      return hap`http-request return status 429 content-type text/plain string local_rate_limited hdr x-local-rate-limit true if ${refused}`;
    case 't':
      return hap`http-request return status ${status} content-type 'text/plain; charset=UTF-8' lf-string %[var(txn.lt)] if ${refused}`;
    case 'j':
      return hap`http-request return status ${status} content-type 'application/json; charset=UTF-8' lf-string %[var(txn.lt)] if ${refused}`;
    case 'r':
      return hap`http-request redirect location %[var(txn.lt)] code 302 if ${refused}`;
    default:
      return hap`http-request return status ${status} if ${refused}`;
  }
}
