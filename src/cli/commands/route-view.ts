import { BlockList, isIPv6 } from 'node:net';
import type { AccessPolicy } from '../../features/access/policy.ts';
import type { Decision, Loser, LossReason } from '../../model/decide.ts';
import type { Share } from '../../model/decide-canary.ts';
import { pathText } from '../../model/diff.ts';
import { hostKey } from '../../model/identity.ts';
import type { Model, Route } from '../../model/model.ts';
import type { Origin } from '../../model/origin.ts';
import { plain } from '../output/plain.ts';

/** What `ramjet route --output json` prints. The fields and their order are stable. */
export interface RouteView {
  /** The route that holds the request; null: none does. */
  readonly route: (PlaceView & { readonly id: string }) | null;
  /** Who answers: production where weight decides; null: Ramjet itself does. */
  readonly backend: BackendView | null;
  /** What decided between production and canaries; null for a route without canaries. */
  readonly canary: CanaryView | null;
  /** Policies of the route by name, as the model has them. */
  readonly policies: Readonly<Record<string, unknown>>;
  /** Other routes on hosts that fit the request. */
  readonly losers: readonly (PlaceView & { readonly id: string; readonly reason: LossReason; readonly because: string })[];
  /** What Ramjet answers without asking a backend; null: a backend is asked. */
  readonly answer: { readonly status: number; readonly because: string } | null;
  /** The path after normalisation. */
  readonly path: string;
  /** Patterns that only HAProxy can evaluate; they count as not matching here. */
  readonly unevaluated: readonly string[];
}

export interface PlaceView {
  /** A name, `*.` and a name, `*` for any, or `~` and a regular expression. */
  readonly host: string;
  readonly pathType: 'exact' | 'segments' | 'prefix' | 'regex';
  readonly path: string;
  readonly object: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly file: string | null;
  readonly line: number | null;
}

export interface BackendView {
  readonly id: string;
  readonly namespace: string;
  readonly service: string;
  readonly port: string | number;
  /** Share of the requests like this one. */
  readonly percent: number;
}

export interface CanaryView {
  readonly decidedBy: 'rule' | 'session' | 'weight' | 'nothing';
  /** Where the rule or session sends the request; `shares` where weight decides. */
  readonly to: 'canary' | 'production' | 'shares';
  /** The rule that decided, as the model has it. */
  readonly rule: unknown;
  /** Every backend that gets such requests. `object`: the canary's; null for production. */
  readonly shares: readonly ShareView[];
}

export type ShareView = BackendView & { readonly object: PlaceView['object'] | null };

export function routeView(model: Model, decision: Decision, from: string | undefined): RouteView {
  const { route } = decision;
  const shares = decision.shares.flatMap((share) => shareView(model, share));
  const [first] = shares;
  const answer =
    answerOf(decision, from) ?? (first === undefined ? { status: 503, because: 'There is no Service behind the route.' } : null);
  const backend = answer === null && first !== undefined ? backendOf(first) : null;
  return {
    route: route === undefined ? null : { id: route.id, ...placeOf(route) },
    backend,
    canary: route === undefined || route.canaries.length === 0 ? null : canaryView(decision, shares),
    policies: Object.fromEntries(Object.entries(route?.policies ?? {}).map(([name, policy]) => [name, plain(policy)])),
    losers: decision.losers.map((loser) => ({
      id: loser.route.id,
      ...placeOf(loser.route),
      reason: loser.reason,
      because: becauseOf(loser, route),
    })),
    answer,
    path: decision.path,
    unevaluated: decision.unevaluated,
  };
}

function placeOf({ host, path, origin }: Route): PlaceView {
  const { file = null, line = null } = origin;
  return {
    host: hostKey(host),
    pathType: path.type,
    path: path.type === 'regex' ? path.pattern : path.path || '/',
    object: objectOf(origin),
    file,
    line,
  };
}

function objectOf({ kind, namespace, name }: Origin): PlaceView['object'] {
  return { kind, namespace, name };
}

function shareView(model: Model, { backend, percent, canary }: Share): readonly ShareView[] {
  const found = model.backends.find((one) => one.id === backend);
  if (found === undefined) return [];
  const { id, namespace, service, port } = found;
  return [{ id, namespace, service, port, percent, object: canary === undefined ? null : objectOf(canary.origin) }];
}

function backendOf({ id, namespace, service, port, percent }: ShareView): BackendView {
  return { id, namespace, service, port, percent };
}

function canaryView({ decider }: Decision, shares: readonly ShareView[]): CanaryView {
  switch (decider.by) {
    case 'rule':
      return { decidedBy: 'rule', to: decider.to, rule: plain(decider.rule), shares };
    case 'session':
      return { decidedBy: 'session', to: decider.to, rule: null, shares };
    case 'weight':
      return { decidedBy: 'weight', to: 'shares', rule: null, shares };
    case 'nothing':
      return { decidedBy: 'nothing', to: 'production', rule: null, shares };
  }
}

function answerOf({ outcome, route }: Decision, from: string | undefined): RouteView['answer'] {
  if (outcome === 'bad-path') return { status: 400, because: 'The path climbs above the root or holds an escape that is none.' };
  if (outcome === 'not-found') return { status: 404, because: 'No route matches.' };
  if (route?.closed !== undefined)
    return { status: route.closed.status, because: `The route is closed: ${route.closed.features.join(', ')} could not be set up.` };
  if (route !== undefined && from !== undefined && isRefused(route, from))
    return { status: 403, because: `The access list of the route refuses ${from}.` };
  return null;
}

/** A route's own lists count before its host's, those before the settings'; a denial counts before a permission. */
function isRefused({ policies }: Route, from: string): boolean {
  const own = policies.access;
  const list: AccessPolicy | undefined = own === undefined || own.fromSettings ? (policies['host-access'] ?? own) : own;
  if (list === undefined) return false;
  return holds(list.deny, from) || (list.allow.length > 0 && !holds(list.allow, from));
}

function holds(networks: readonly string[], address: string): boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [start = '', length] = network.split('/');
    list.addSubnet(start, Number(length ?? (isIPv6(start) ? 128 : 32)), isIPv6(start) ? 'ipv6' : 'ipv4');
  }
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function becauseOf({ route, reason }: Loser, winner: Route | undefined): string {
  const other = winner === undefined ? '' : `${hostKey(winner.host)}${pathText(winner)}`;
  switch (reason) {
    case 'host':
      return 'another host of the model fits the name more exactly, and a known host does not fall through';
    case 'path':
      return `${route.path.type === 'regex' ? 'the regular expression' : 'the path'} does not match`;
    case 'shorter':
      return `${other} matches more of the path`;
    case 'regex':
      return `the regular expression of ${other} matches and is longer or comes first`;
    case 'plain':
      return `the plain path of ${other} is exact or at least as long`;
  }
}
