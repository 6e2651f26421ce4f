import { type CanaryDecision, decideCanary, type DecideRequest } from './decide-canary.ts';
import { coverage, decodePath, normalisePath, writtenLength } from './decide-path.ts';
import { matcherOf, type PatternOptions } from './decide-pattern.ts';
import { hostKey } from './identity.ts';
import type { HostMatch, Model, Route } from './model.ts';

/** `bad-path`: answered with 400. `not-found`: answered with 404. */
export type Outcome = 'route' | 'default-backend' | 'not-found' | 'bad-path';

export interface Decision extends CanaryDecision {
  readonly outcome: Outcome;
  /** Normalised; empty if it is bad. */
  readonly path: string;
  readonly route: Route | undefined;
  /** Routes whose host fits the request, in the order of the model. */
  readonly losers: readonly Loser[];
}

/**
 * `host`: another host of the model fits the name more exactly, and a known host never falls through.
 * `path`: the path does not match. `shorter`: another one matches more of the path. `regex`: a longer
 * regular expression matches. `plain`: a regular expression, and an exact or as long a plain path matches.
 */
export type LossReason = 'host' | 'path' | 'shorter' | 'regex' | 'plain';

export interface Loser {
  readonly route: Route;
  readonly reason: LossReason;
}

/**
 * Which route and backend a request takes: the model's meaning, evaluated the way the data plane does it.
 * What policies answer before (redirects, access, authentication) is not looked at.
 */
export function decide(model: Model, request: DecideRequest): Decision {
  const path = normalisePath(request.path);
  if (path === '') return unserved('bad-path', path, [], []);
  const evaluated = new Patterns();
  const name = hostName(request.host);
  const [host, ...others] = fittingHosts(model.routes, name, evaluated);
  const lost = model.routes.filter((route) => others.includes(hostKey(route.host))).map((route): Loser => ({ route, reason: 'host' }));
  // OPTIONS * and the like have no path that a route could hold.
  const candidates = host === undefined || !path.startsWith('/') ? [] : model.routes.filter((route) => hostKey(route.host) === host);
  const winner = longest(candidates, path, evaluated);
  const losers = inOrder(model, [
    ...lost,
    ...candidates.flatMap((route) => (route === winner ? [] : [{ route, reason: lossOf(route, winner, path, evaluated) }])),
  ]);
  if (winner !== undefined) {
    const decision = decideCanary(winner.backend, winner.closed === undefined ? winner.canaries : [], request);
    return { ...decision, outcome: 'route', path, route: winner, losers, unevaluated: [...evaluated.unevaluated, ...decision.unevaluated] };
  }
  if (model.defaultBackend === undefined || !path.startsWith('/')) return unserved('not-found', path, losers, evaluated.unevaluated);
  return {
    outcome: 'default-backend',
    path,
    route: undefined,
    shares: [{ backend: model.defaultBackend, percent: 100 }],
    decider: { by: 'nothing' },
    losers,
    unevaluated: evaluated.unevaluated,
  };
}

function unserved(outcome: Outcome, path: string, losers: readonly Loser[], unevaluated: readonly string[]): Decision {
  return { outcome, path, route: undefined, shares: [], decider: { by: 'nothing' }, losers, unevaluated };
}

/** Lower case, without port and closing dots. */
function hostName(host: string): string {
  const withoutPort = /^(\[[^\]]*\]|[^:]*)(?::.*)?$/s.exec(host)?.[1] ?? host;
  return withoutPort.toLowerCase().replace(/\.+$/, '');
}

/** Keys of the hosts that fit a name: the exact one, its wildcard, regular expressions in order, any. The first is asked, and no other. */
function fittingHosts(routes: readonly Route[], name: string, patterns: Patterns): readonly string[] {
  const ranks: readonly HostMatch['type'][] = ['exact', 'wildcard', 'regex', 'any'];
  const hosts = new Map(routes.map(({ host }) => [hostKey(host), host]));
  return ranks.flatMap((type) => [...hosts].filter(([, host]) => host.type === type && fits(host, name, patterns)).map(([key]) => key));
}

function fits(host: HostMatch, name: string, patterns: Patterns): boolean {
  switch (host.type) {
    case 'exact':
      return host.name === name;
    case 'wildcard':
      return name.replace(/^[^.]*./, '') === host.suffix;
    case 'regex':
      return patterns.matches(`^(?:${host.pattern})$`, name, { caseSensitive: true, from: 'anywhere' });
    case 'any':
      return true;
  }
}

function longest(routes: readonly Route[], path: string, patterns: Patterns): Route | undefined {
  const covering = routes.flatMap((route) => {
    const covered = route.path.type === 'regex' ? undefined : coverage(route.path, path);
    return covered === undefined ? [] : [{ route, covered }];
  });
  const plain = covering.toSorted((a, b) => b.covered - a.covered)[0]?.route;
  const bound = plain === undefined ? 0 : writtenLength(plain.path);
  const regexes = routes.filter((route) => route.path.type === 'regex' && writtenLength(route.path) > bound).toSorted(compareRegexRoutes);
  return regexes.find((route) => matchesRegex(route, path, patterns)) ?? plain;
}

/** Longest pattern first, as ingress-nginx orders locations; equal lengths by text. */
function compareRegexRoutes(a: Route, b: Route): number {
  return writtenLength(b.path) - writtenLength(a.path) || (JSON.stringify(a.path) < JSON.stringify(b.path) ? -1 : 1);
}

function matchesRegex({ path: match }: Route, path: string, patterns: Patterns): boolean {
  return match.type === 'regex' && patterns.matches(match.pattern, decodePath(path), { caseSensitive: match.caseSensitive, from: 'start' });
}

function lossOf(route: Route, winner: Route | undefined, path: string, patterns: Patterns): LossReason {
  const matches = route.path.type === 'regex' ? matchesRegex(route, path, patterns) : coverage(route.path, path) !== undefined;
  if (!matches || winner === undefined) return 'path';
  if (winner.path.type === 'regex') return 'regex';
  return route.path.type === 'regex' ? 'plain' : 'shorter';
}

function inOrder(model: Model, losers: readonly Loser[]): readonly Loser[] {
  const place = new Map(model.routes.map((route, index) => [route, index]));
  return losers.toSorted((a, b) => (place.get(a.route) ?? 0) - (place.get(b.route) ?? 0));
}

/** Remembers which patterns could not be evaluated. */
class Patterns {
  readonly unevaluated: string[] = [];

  matches(pattern: string, text: string, options: PatternOptions): boolean {
    const matcher = matcherOf(pattern, options);
    if (matcher === undefined && !this.unevaluated.includes(pattern)) this.unevaluated.push(pattern);
    return matcher?.(text) === true;
  }
}
