import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { CanaryPolicy, Feature, RouteDraft, ShapeContext } from '../features/contract/feature.ts';
import type { Dialect } from '../features/contract/dialect.ts';
import { NOTHING_READ, type ReadInput, readFeature } from '../features/contract/read.ts';
import { hostKey, pathKey } from '../model/identity.ts';
import type { ClosedRoute, HostMatch } from '../model/model.ts';
import type { BackendPolicies, RoutePolicies } from '../model/policies.ts';
import type { Snapshot } from '../objects/snapshot.ts';
import type { Ingress, ServiceReference } from '../objects/types.ts';
import { ingressPaths, type IngressPathEntry } from '../resources/ingress/paths.ts';
import type { Claim } from './claim.ts';
import { reportKeys } from './keys.ts';
import { annotationField, objectOrigin } from '../objects/origin.ts';
import { References } from './references.ts';
import type { CompileSettings } from './settings.ts';
import type { Registry } from '../features/contract/registry.ts';

/** One path of one Ingress after its features were read. */
export interface TranslatedRoute {
  /** What routes fight over: host and path. Sorts by host, then path. */
  readonly key: string;
  readonly draft: RouteDraft;
  readonly entry: IngressPathEntry;
  readonly service: ServiceReference | undefined;
}

/** What one Ingress says, before it meets the others. */
export interface Translated {
  readonly ingress: Ingress;
  readonly routes: readonly TranslatedRoute[];
  /** Answers requests to the object's hosts that no path matches; to any host if it has no rules. */
  readonly canary: CanaryPolicy | undefined;
  readonly backendPolicies: Partial<BackendPolicies>;
  /** Of a canary: route policies for the requests it serves. */
  readonly canaryPolicies?: Partial<RoutePolicies>;
  /** For every route on the object's hosts. */
  readonly hostWide: HostWide;
  /** Other names that the object gives its hosts. */
  readonly aliases: readonly HostMatch[];
  readonly closed: ClosedRoute | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface HostWide {
  readonly policies: Partial<RoutePolicies>;
  readonly closed: ClosedRoute | undefined;
}

const NOTHING_HOST_WIDE: HostWide = { policies: {}, closed: undefined };

interface Memory {
  readonly settings: CompileSettings;
  readonly compat: Claim['compat'];
  readonly seen: ReadonlyMap<string, unknown>;
  readonly result: Translated;
}

/** Results by object, kept while the object and all it referred to are the same. */
export class TranslationMemory {
  readonly #memory = new WeakMap<Ingress, Memory>();

  translate(claim: Claim, snapshot: Snapshot, settings: CompileSettings, registry: Registry): Translated {
    const known = this.#memory.get(claim.ingress);
    if (known && known.settings === settings && known.compat === claim.compat && References.stillGood(known.seen, snapshot))
      return known.result;
    const references = new References(snapshot, claim.ingress.metadata.namespace, {
      crossNamespace: settings.features.allowCrossNamespace,
    });
    const result = guarded(claim, references, settings, registry);
    this.#memory.set(claim.ingress, { settings, compat: claim.compat, seen: references.seen, result });
    return result;
  }
}

/** A fault of ours in one object must not take the others down: the object is left out and says so. */
function guarded(claim: Claim, references: References, settings: CompileSettings, registry: Registry): Translated {
  try {
    return translateIngress(claim, references, settings, registry);
  } catch (error) {
    const message = `Ramjet failed on this object: ${error instanceof Error ? error.message : String(error)}.`;
    return {
      ingress: claim.ingress,
      routes: [],
      canary: undefined,
      backendPolicies: {},
      hostWide: NOTHING_HOST_WIDE,
      aliases: [],
      closed: undefined,
      diagnostics: [diagnostic('InternalError', objectOrigin(claim.ingress), message)],
    };
  }
}

interface Reading {
  readonly route: Partial<RoutePolicies>;
  readonly backend: Partial<BackendPolicies>;
  readonly hostWide: HostWide;
  readonly dialects: ReadonlyMap<string, Dialect>;
  readonly canary: CanaryPolicy | undefined;
  readonly closed: ClosedRoute | undefined;
}

function translateIngress(claim: Claim, references: References, settings: CompileSettings, registry: Registry): Translated {
  const { ingress } = claim;
  const diagnostics: Diagnostic[] = [];
  const reading = readAll(claim, references, settings, registry, diagnostics);
  diagnostics.push(...reportKeys(ingress, registry, reading.canary !== undefined));
  const paths = ingressPaths(ingress);
  diagnostics.push(...paths.diagnostics);
  const routes: TranslatedRoute[] = [];
  let { closed } = reading;
  for (const entry of paths.entries) {
    const shaper = new Shaper(ingress, settings, reading.dialects, diagnostics);
    const policies = reading.canary === undefined ? reading.route : {};
    const drafts = shaper.shape(
      { ...entry.draft, policies, ...(entry.service ? { service: entry.service } : {}) },
      registry.features,
      reading.canary !== undefined ? reading.route : undefined,
    );
    for (const draft of drafts) {
      const needs = reading.canary === undefined ? routeNeeds(reading.backend, draft, registry) : undefined;
      routes.push({
        key: routeKey(draft),
        draft: needs === undefined ? draft : { ...draft, policies: { ...draft.policies, ...needs } },
        entry,
        service: entry.service,
      });
    }
    closed = mergeClosed(closed, shaper.closed);
  }
  const own = reading.canary === undefined ? {} : { canaryPolicies: canaryOwn(reading.route, registry) };
  return {
    ingress,
    routes,
    canary: reading.canary,
    backendPolicies: backendPart(reading.backend, registry),
    ...own,
    hostWide: reading.canary === undefined ? reading.hostWide : NOTHING_HOST_WIDE,
    aliases: aliasesOf(reading.route, registry),
    closed,
    diagnostics,
  };
}

/** What two routes fight over; sorts by host, then path. */
export function routeKey(draft: RouteDraft): string {
  return `${hostKey(draft.host)} ${pathKey(draft.path)}`;
}

function aliasesOf(policies: Partial<RoutePolicies>, registry: Registry): readonly HostMatch[] {
  return registry.features.flatMap((feature) => {
    if (feature.level !== 'route' || feature.aliases === undefined) return [];
    const policy = policies[feature.name];
    // A policy stands under its own feature's name, so it is of the feature's type.
    return policy === undefined ? [] : feature.aliases(policy as never);
  });
}

/** What of the object's backend policies stays with the backend. */
function backendPart(policies: Partial<BackendPolicies>, registry: Registry): Partial<BackendPolicies> {
  let part = policies;
  for (const feature of registry.features) {
    if (feature.level !== 'backend' || feature.onBackend === undefined) continue;
    const policy = part[feature.name];
    if (policy !== undefined) part = { ...part, [feature.name]: feature.onBackend(policy as never) };
  }
  return part;
}

/** What the backend policies of the object need on this route. */
function routeNeeds(policies: Partial<BackendPolicies>, draft: RouteDraft, registry: Registry): Partial<RoutePolicies> | undefined {
  let needs: Partial<RoutePolicies> | undefined;
  for (const feature of registry.features) {
    if (feature.level !== 'backend' || feature.onRoute === undefined) continue;
    const policy = policies[feature.name];
    // A backend policy stands under its own feature's name, so it is of the feature's type.
    if (policy !== undefined) needs = { ...needs, ...feature.onRoute(policy as never, draft) };
  }
  return needs;
}

function canaryOwn(policies: Partial<RoutePolicies>, registry: Registry): Partial<RoutePolicies> {
  const own = new Set<string>(
    registry.features.flatMap((feature) => (feature.level === 'route' && feature.onCanary === 'own' ? [feature.name] : [])),
  );
  return Object.fromEntries(Object.entries(policies).filter(([name]) => own.has(name)));
}

function readAll(claim: Claim, references: References, settings: CompileSettings, registry: Registry, diagnostics: Diagnostic[]): Reading {
  const { ingress } = claim;
  const input: ReadInput = {
    namespace: ingress.metadata.namespace,
    name: ingress.metadata.name,
    annotations: ingress.metadata.annotations,
    compat: claim.compat,
    settings: settings.features,
    origin: (fullKey) => objectOrigin(ingress, fullKey === undefined ? undefined : annotationField(fullKey)),
    secret: (reference) => references.secret(reference),
    configMap: (reference) => references.configMap(reference),
    service: (reference) => references.service(reference),
  };
  const route: Record<string, unknown> = {};
  const backend: Record<string, unknown> = {};
  const host: Record<string, unknown> = {};
  let hostClosed: ClosedRoute | undefined;
  const dialects = new Map<string, Dialect>();
  let canary: CanaryPolicy | undefined;
  let closed: ClosedRoute | undefined;
  // Most objects set few keys: only the features that own one of them are read.
  const touched = new Set(Object.keys(ingress.metadata.annotations).flatMap((fullKey) => registry.featuresByKey.get(fullKey) ?? []));
  for (const feature of registry.features) {
    const result = touched.has(feature) ? readFeature<unknown>(feature, input) : NOTHING_READ;
    diagnostics.push(...result.diagnostics);
    if (result.dialect !== undefined) dialects.set(feature.name, result.dialect);
    if (result.closed !== undefined) closed = mergeClosed(closed, { status: result.closed, features: [feature.name] });
    if (feature.level === 'canary') {
      // The registry holds one canary feature, whose readers give a CanaryPolicy.
      canary = result.policy as CanaryPolicy | undefined;
      continue;
    }
    if (feature.level === 'host') {
      if (result.policy !== undefined) host[feature.name] = result.policy;
      if (result.closed !== undefined) hostClosed = mergeClosed(hostClosed, { status: result.closed, features: [feature.name] });
      continue;
    }
    // A canary has production's backend policies where it has none of its own: defaults must not hide them.
    const inherits = feature.level === 'backend' && canary !== undefined;
    const policy =
      result.policy ?? (result.dialect === undefined && !inherits ? feature.defaultPolicy?.(settings.features, claim.compat) : undefined);
    if (policy !== undefined) (feature.level === 'route' ? route : backend)[feature.name] = policy;
  }
  return {
    route,
    backend,
    hostWide: Object.keys(host).length === 0 && hostClosed === undefined ? NOTHING_HOST_WIDE : { policies: host, closed: hostClosed },
    dialects,
    canary,
    closed,
  };
}

/** Fits the policies of an object to one of its paths, feature by feature in registry order. */
class Shaper {
  closed: ClosedRoute | undefined;
  readonly #ingress: Ingress;
  readonly #settings: CompileSettings;
  readonly #dialects: ReadonlyMap<string, Dialect>;
  readonly #diagnostics: Diagnostic[];

  constructor(ingress: Ingress, settings: CompileSettings, dialects: ReadonlyMap<string, Dialect>, diagnostics: Diagnostic[]) {
    this.#ingress = ingress;
    this.#settings = settings;
    this.#dialects = dialects;
    this.#diagnostics = diagnostics;
  }

  /**
   * `pathPolicies`: a canary keeps no route policies, but its path must be matched the way it would be in
   * production (a regex path attaches to a regex path).
   */
  shape(draft: RouteDraft, features: readonly Feature[], pathPolicies: Partial<RoutePolicies> | undefined): readonly RouteDraft[] {
    let drafts: readonly RouteDraft[] = [pathPolicies === undefined ? draft : { ...draft, policies: pathPolicies }];
    for (const feature of features) {
      if (feature.level !== 'route' || feature.shape === undefined) continue;
      const [first, ...derived] = drafts;
      const policy = first?.policies[feature.name];
      if (first === undefined || policy === undefined) continue;
      const shaped = feature.shape(policy as never, first, this.#context(feature, pathPolicies !== undefined));
      drafts = [...shaped, ...derived];
    }
    if (pathPolicies === undefined) return drafts;
    return drafts.filter((one) => !one.derived).map((one) => ({ ...one, policies: {} }));
  }

  #context(feature: Feature, isCanary: boolean): ShapeContext {
    const dialect = this.#dialects.get(feature.name);
    return {
      settings: this.#settings.features,
      dialect,
      isCanary,
      report: (code, fullKey, message, hint) => {
        const field = fullKey === undefined ? undefined : annotationField(fullKey);
        this.#diagnostics.push(diagnostic(code, objectOrigin(this.#ingress, field), message, hint));
      },
      close: (status) => {
        this.closed = mergeClosed(this.closed, { status, features: [feature.name] });
      },
    };
  }
}

/** The first closing status stands; every feature that closed is named. */
function mergeClosed(a: ClosedRoute | undefined, b: ClosedRoute | undefined): ClosedRoute | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { status: a.status, features: [...new Set([...a.features, ...b.features])] };
}
