import { compareDiagnostics, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Registry } from '../features/contract/registry.ts';
import { hostKey, pathKey, shortDigest } from '../model/identity.ts';
import type { Canary, Certificate, Host, HostMatch, Model, Route } from '../model/model.ts';
import type { Snapshot } from '../objects/snapshot.ts';
import { addAliases, AliasMemory } from './aliases.ts';
import { compileCertificates } from './certificates.ts';
import { BackendMemory, BackendTable } from './backends.ts';
import { attachCanaries } from './canaries.ts';
import { claimIngresses } from './claim.ts';
import { hostWidePolicies } from './host-wide.ts';
import { mergeRoutes, type MergedRoute } from './merge.ts';
import type { CompileSettings } from './settings.ts';
import { SortedKeys } from './sorted-keys.ts';
import { type HostWide, TranslationMemory } from './translate.ts';

export interface Compiled {
  readonly model: Model;
  readonly diagnostics: readonly Diagnostic[];
}

interface KnownRoute {
  readonly owner: MergedRoute['owner'];
  readonly backend: string | undefined;
  readonly hostWide: HostWide | undefined;
  readonly canaries: readonly Canary[];
  readonly route: Route;
}

/** What the compiler remembers from one snapshot to the next. Results are the same without it, only slower. */
export class CompilerMemory {
  readonly translations = new TranslationMemory();
  readonly backends = new BackendMemory();
  readonly routeOrder = new SortedKeys();
  readonly aliases = new AliasMemory();
  readonly certificates = new WeakMap<object, Certificate | string>();
  readonly routes = new WeakMap<object, KnownRoute>();
}

/** Objects to model. Pure but for `memory`, which only saves work. */
export function compile(snapshot: Snapshot, settings: CompileSettings, registry: Registry, memory = new CompilerMemory()): Compiled {
  const claimed = claimIngresses(snapshot, settings);
  const translated = claimed.claims.map((claim) => memory.translations.translate(claim, snapshot, settings, registry));
  const merged = mergeRoutes(translated);
  const aliased = addAliases(translated, merged.routes, memory.aliases);
  const backends = new BackendTable(snapshot, memory.backends);
  const canaryDiagnostics: Diagnostic[] = [];
  const hostWide = hostWidePolicies(translated);
  const ordered = memory.routeOrder.of(aliased.routes).flatMap((key) => aliased.routes.get(key) ?? []);
  const routes = ordered.map((one) =>
    finishRoute(one, hostWide.of(one.route.entry.draft.host), registry, backends, memory, canaryDiagnostics),
  );
  const fallback = defaultBackend(settings, backends);
  const certificates = compileCertificates(translated, aliased.names, snapshot, settings, memory.certificates);
  const model = {
    hosts: hostsOf(routes, ordered),
    routes,
    backends: backends.all(),
    certificates: certificates.certificates,
    ...(fallback === undefined ? {} : { defaultBackend: fallback }),
  };
  const diagnostics = [
    ...snapshot.diagnostics,
    ...claimed.diagnostics,
    ...translated.flatMap((one) => one.diagnostics),
    ...merged.diagnostics,
    ...aliased.diagnostics,
    ...hostWide.diagnostics,
    ...canaryDiagnostics,
    ...backends.diagnostics,
    ...certificates.diagnostics,
  ].sort(compareDiagnostics);
  return { model, diagnostics };
}

/** A route keeps its identity while nothing it is made of changed, so that the data plane can skip it. */
function finishRoute(
  merged: MergedRoute,
  hostWide: HostWide | undefined,
  registry: Registry,
  backends: BackendTable,
  memory: CompilerMemory,
  diagnostics: Diagnostic[],
): Route {
  const { owner, route } = merged;
  const { namespace } = owner.ingress.metadata;
  const backend = route.service && backends.request(namespace, route.service, owner.backendPolicies, route.entry.origin);
  const attached = attachCanaries(merged, backends, registry);
  diagnostics.push(...attached.diagnostics);
  const { canaries } = attached;
  const known = memory.routes.get(route);
  const same = known?.owner === owner && known.backend === backend?.id && known.hostWide === hostWide;
  if (same && sameCanaries(known.canaries, canaries)) return known.route;
  const finished = buildRoute(merged, hostWide, backend?.id, canaries);
  memory.routes.set(route, { owner, backend: backend?.id, hostWide, canaries, route: finished });
  return finished;
}

function buildRoute(
  { owner, route }: MergedRoute,
  hostWide: HostWide | undefined,
  backend: string | undefined,
  canaries: readonly Canary[],
): Route {
  const { draft } = route;
  const { namespace, name, createdAt } = owner.ingress.metadata;
  const closed = owner.closed ?? hostWide?.closed;
  return {
    id: shortDigest(namespace, name, hostKey(draft.host), pathKey(draft.path)),
    host: draft.host,
    path: draft.path,
    policies: closed ? {} : { ...hostWide?.policies, ...draft.policies },
    backend,
    canaries: closed ? [] : canaries,
    ...(closed ? { closed } : {}),
    createdAt,
    origin: route.entry.origin,
  };
}

function canaryInputs({ backend, rules, weight, total, session, policies }: Canary): readonly unknown[] {
  return [backend, rules, weight, total, policies, session?.cookie, session?.canary, session?.production];
}

function sameCanaries(a: readonly Canary[], b: readonly Canary[]): boolean {
  if (a.length !== b.length) return false;
  if (a.length === 0) return true;
  const [left, right] = [a, b].map((list) => list.flatMap(canaryInputs));
  return left?.length === right?.length && (left ?? []).every((item, index) => item === right?.[index]);
}

/** `routes` and `merged` go side by side, sorted by host: the routes of one host are neighbours. */
function hostsOf(routes: readonly Route[], merged: readonly MergedRoute[]): readonly Host[] {
  const hosts: { match: HostMatch; tls: boolean; first: Route }[] = [];
  let last: string | undefined;
  for (const [index, route] of routes.entries()) {
    const key = hostKey(route.host);
    const tls = merged[index]?.route.draft.tls ?? false;
    const current = hosts.at(-1);
    if (key !== last || current === undefined) hosts.push({ match: route.host, tls, first: route });
    else if (tls) current.tls = true;
    last = key;
  }
  return hosts.map(({ match, tls, first }) => ({ match, policies: {}, tls, origin: first.origin }));
}

/** `namespace/name:port`; a number is a port number. */
function defaultBackend(settings: CompileSettings, backends: BackendTable): string | undefined {
  const match = /^([^/:]+)\/([^/:]+):([^/:]+)$/.exec(settings.defaultBackend ?? '');
  const [, namespace, name, port] = match ?? [];
  if (namespace === undefined || name === undefined || port === undefined) return undefined;
  const reference = { name, port: /^[0-9]+$/.test(port) ? Number(port) : port };
  return backends.request(namespace, reference, {}, { kind: 'Service', namespace, name })?.id;
}
