import { bytesOf, matcherOf } from './decide-pattern.ts';
import type { BackendId, Canary, CanaryCondition, CanaryRule } from './model.ts';

/** What a decision depends on. */
export interface DecideRequest {
  /** As the Host header has it, with or without a port. */
  readonly host: string;
  /** As it is sent, without the query. */
  readonly path: string;
  /** Without its `?`. */
  readonly query: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** Part of the requests like this one that a backend gets. `canary` is absent for production. */
export interface Share {
  readonly backend: BackendId | undefined;
  /** 0 to 100. */
  readonly percent: number;
  readonly canary?: Canary;
}

/** What decided between production and canaries. */
export type Decider =
  | { readonly by: 'nothing' }
  | { readonly by: 'rule'; readonly rule: CanaryRule; readonly canary: Canary; readonly to: 'canary' | 'production' }
  | { readonly by: 'session'; readonly cookie: string; readonly to: 'canary' | 'production' }
  | { readonly by: 'weight' };

export interface CanaryDecision {
  readonly shares: readonly Share[];
  readonly decider: Decider;
  /** Patterns that could not be evaluated and count as not matching. */
  readonly unevaluated: readonly string[];
}

/** Rules, then sessions, then weights, as `Canary` in model.ts says. */
export function decideCanary(production: BackendId | undefined, canaries: readonly Canary[], request: DecideRequest): CanaryDecision {
  const whole = (canary: Canary | undefined): readonly Share[] => [
    canary === undefined ? { backend: production, percent: 100 } : { backend: canary.backend, percent: 100, canary },
  ];
  if (canaries.length === 0) return { shares: whole(undefined), decider: { by: 'nothing' }, unevaluated: [] };
  const reader = new RequestReader(request);
  for (const { rule, canary } of ranked(canaries)) {
    const to = reader.decide(rule);
    if (to !== undefined)
      return {
        shares: whole(to === 'canary' ? canary : undefined),
        decider: { by: 'rule', rule, canary, to },
        unevaluated: reader.unevaluated,
      };
  }
  const session = decideSession(canaries, reader);
  if (session !== undefined) {
    const { cookie, canary } = session;
    return {
      shares: whole(canary),
      decider: { by: 'session', cookie, to: canary === undefined ? 'production' : 'canary' },
      unevaluated: reader.unevaluated,
    };
  }
  const live = canaries.filter(({ weight }) => weight > 0);
  const decider: Decider = live.length === 0 ? { by: 'nothing' } : { by: 'weight' };
  return { shares: weighted(production, live), decider, unevaluated: reader.unevaluated };
}

interface Ranked {
  readonly rule: CanaryRule;
  readonly canary: Canary;
}

/** Joined conditions, then headers and query, then cookies; each by age of the canary. */
function ranked(canaries: readonly Canary[]): readonly Ranked[] {
  const rank = ({ on }: CanaryRule) => (on === 'all' ? 0 : on === 'cookie' ? 2 : 1);
  return canaries.flatMap((canary) => canary.rules.map((rule) => ({ rule, canary }))).sort((a, b) => rank(a.rule) - rank(b.rule));
}

/** A session stays on the canary while weight brings sessions there, and on production until the canaries take everything. */
function decideSession(
  canaries: readonly Canary[],
  reader: RequestReader,
): { readonly cookie: string; readonly canary: Canary | undefined } | undefined {
  const live = canaries.filter(({ weight }) => weight > 0);
  const begins = (cookie: string, text: string) => reader.cookie(cookie)?.startsWith(text) === true;
  for (const canary of live) {
    const { session } = canary;
    if (session !== undefined && begins(session.cookie, session.canary)) return { cookie: session.cookie, canary };
  }
  const [first] = live.flatMap(({ session }) => (session === undefined ? [] : [session]));
  const everything = live.reduce((sum, { weight, total }) => sum + weight / total, 0) > 1 - 1e-12;
  if (first === undefined || everything || !begins(first.cookie, first.production)) return undefined;
  return { cookie: first.cookie, canary: undefined };
}

function weighted(production: BackendId | undefined, live: readonly Canary[]): readonly Share[] {
  const round = (percent: number) => Number(percent.toFixed(6));
  const shares = live.map((canary): Share => ({ backend: canary.backend, percent: round((canary.weight / canary.total) * 100), canary }));
  const rest = round(100 - shares.reduce((sum, { percent }) => sum + percent, 0));
  return rest > 0 ? [{ backend: production, percent: rest }, ...shares] : shares;
}

/** The parts of a request that rules compare. */
class RequestReader {
  readonly unevaluated: string[] = [];
  readonly #request: DecideRequest;

  constructor(request: DecideRequest) {
    this.#request = request;
  }

  /** `undefined`: the rule leaves it to the next one. */
  decide(rule: CanaryRule): 'canary' | 'production' | undefined {
    const conditions = rule.on === 'all' ? rule.rules : [rule];
    for (const condition of conditions) {
      const outcome = this.#holds(condition);
      if (outcome === 'never') return 'production';
      if (!outcome) return undefined;
    }
    return 'canary';
  }

  #holds({ on, name, match }: CanaryCondition): boolean | 'never' {
    const value = this.#value(on, name);
    if (value === undefined) return false;
    switch (match.type) {
      case 'always-never':
        return value === 'never' ? 'never' : value === 'always';
      case 'value':
        return value === match.value;
      case 'pattern': {
        const matches = matcherOf(match.pattern, { caseSensitive: true, from: 'anywhere' });
        if (matches === undefined) this.unevaluated.push(match.pattern);
        return matches?.(bytesOf(value)) === true;
      }
    }
  }

  #value(on: CanaryCondition['on'], name: string): string | undefined {
    switch (on) {
      case 'header':
        return this.#header(name);
      case 'cookie':
        return this.cookie(name);
      case 'query':
        return this.#parameter(name);
    }
  }

  /** Several headers of one name are one value, joined by a comma. */
  #header(name: string): string | undefined {
    const values = this.#request.headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value.trim());
    return values.length === 0 ? undefined : values.join(', ');
  }

  /** The first of that name, in any case. */
  cookie(name: string): string | undefined {
    for (const crumb of (this.#header('cookie') ?? '').split(';')) {
      const [, key = '', value] = /^[ \t]*(.*?)[ \t]*=[ \t]*(.*?)[ \t]*$/.exec(crumb) ?? [];
      if (value !== undefined && key.toLowerCase() === name.toLowerCase()) return value;
    }
    return undefined;
  }

  /** The first of that name, decoded. */
  #parameter(name: string): string | undefined {
    for (const pair of this.#request.query.split('&')) {
      const [, key = '', value = ''] = /^([^=]*)=?([^]*)$/.exec(pair) ?? [];
      if (pair !== '' && decodeQuery(key) === name) return decodeQuery(value);
    }
    return undefined;
  }
}

/** Escapes that are none stay as they are. */
function decodeQuery(text: string): string {
  const bytes = Buffer.from(text.replaceAll('+', ' '), 'utf8').toString('latin1');
  const decoded = bytes.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(decoded, 'latin1').toString('utf8');
}
