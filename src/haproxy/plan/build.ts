import { shortDigest } from '../../model/identity.ts';
import type { Certificate, Model, Route } from '../../model/model.ts';
import type { Origin } from '../../model/origin.ts';
import type { RoutePolicyName } from '../../model/policies.ts';
import type { Secret } from '../../model/secret.ts';
import type { PlanFile, Rule, RuleContext, Section } from '../feature.ts';
import { hap, word } from '../tokens.ts';
import { agentSections } from './agent.ts';
import { type AnyBackendPart, BackendDataMemory } from './backends.ts';
import { frontendSection, globalSections, mapFile, type RoutingShape, statusSections } from './frontend.ts';
import type { Plan, PlanBackend, PlanCertificate, PlanMap, Structure } from './plan.ts';
import { type AnyRoutePart, flagOf, type RouteData, RouteDataMemory, SharedRowsMemory } from './rows.ts';
import { type PlainRowMemory, routeMaps } from './route-maps.ts';
import { regexRowCount } from './routing.ts';
import type { PlanSettings } from './settings.ts';

/** The parts of all features, and the Lua sources they and the driver name. */
export interface Driver {
  readonly routeParts: readonly AnyRoutePart[];
  readonly backendParts: readonly AnyBackendPart[];
  /** By file name. */
  readonly lua: ReadonlyMap<string, string>;
}

/** Tables that routing needs; once in use they stay. */
const NO_SHAPE: RoutingShape = { wildcards: false, anyHost: false, regexHosts: false, regexRows: 0, foldedPaths: false };

/**
 * What stays loaded from one plan to the next: a feature that went out of use keeps its rules until the
 * next reload, since dropping them would cost a reload for nothing.
 */
export interface Loaded {
  readonly variants: ReadonlyMap<RoutePolicyName, ReadonlySet<string>>;
  readonly shape: RoutingShape;
}

export const NOTHING_LOADED: Loaded = { variants: new Map(), shape: NO_SHAPE };

/** Model to plan. Keeps what it computed for each route and backend; the result does not depend on it. */
export class Planner {
  readonly #driver: Driver;
  readonly #settings: PlanSettings;
  readonly #routes: RouteDataMemory;
  readonly #backends: BackendDataMemory;
  readonly #shared = new SharedRowsMemory();
  readonly #fallbackCertificate: Secret;
  readonly #plainRows: PlainRowMemory = new WeakMap();

  /** `fallbackCertificate`: certificate and key in PEM, shown to clients without a known name when no object names one. */
  constructor(driver: Driver, settings: PlanSettings, fallbackCertificate: Secret) {
    this.#driver = driver;
    this.#fallbackCertificate = fallbackCertificate;
    this.#settings = settings;
    this.#routes = new RouteDataMemory(driver.routeParts);
    this.#backends = new BackendDataMemory(driver.backendParts, settings);
  }

  plan(model: Model, loaded: Loaded = NOTHING_LOADED): Plan & { readonly loaded: Loaded } {
    const use = this.#inUse(model.routes, loaded);
    const rules = this.#rules(use);
    const causes = new Map<string, Origin | undefined>([...use].map(([name, entry]) => [`feature ${name}`, entry.origin]));
    const backends = new Map<string, PlanBackend>();
    const profiles = new Map<string, readonly string[]>();
    const files = new Map<string, PlanFile>();
    const backendRules = rules.filter((rule) => rule.phase === 'backend');
    // The profile of a backend without policies is always there: the first Service of an empty folder is data.
    const plain = this.#backends.plainProfile(backendRules);
    profiles.set(plain.name, plain.lines);
    for (const backend of model.backends) {
      const data = this.#backends.of(backend, backendRules);
      backends.set(data.backend.name, data.backend);
      if (!profiles.has(data.backend.profile)) causes.set(`profile ${data.backend.profile}`, backend.origin);
      profiles.set(data.backend.profile, data.profileLines);
      for (const file of data.files) files.set(file.name, file);
    }
    const maps = this.#maps(model, use);
    const shape = shapeOf(model, maps, loaded.shape);
    const structure = this.#structure(shape, use, rules, profiles, causes);
    const certificates = planCertificates(model.certificates, this.#fallbackCertificate);
    const plan = { version: this.#settings.version, structure, backends, maps, certificates, files, agent: this.#agent(model.routes) };
    return { ...plan, loaded: { variants: new Map([...use].map(([name, entry]) => [name, entry.variants])), shape } };
  }

  #inUse(routes: readonly Route[], loaded: Loaded): ReadonlyMap<RoutePolicyName, { variants: Set<string>; origin: Origin | undefined }> {
    const use = new Map<RoutePolicyName, { variants: Set<string>; origin: Origin | undefined }>();
    for (const [name, variants] of loaded.variants) use.set(name, { variants: new Set(variants), origin: undefined });
    const seen = new Set<string>();
    for (const route of routes) {
      const data = this.#routes.of(route);
      // Routes have few different sets of features. Flags don't name the set: a common policy has none.
      if (data.variants.length === 0 && seen.has(data.featureSet)) continue;
      seen.add(data.featureSet);
      for (const feature of data.features) if (!use.has(feature)) use.set(feature, { variants: new Set(), origin: route.origin });
      for (const { feature, variant } of data.variants) use.get(feature)?.variants.add(variant);
    }
    return use;
  }

  #context(part: AnyRoutePart, variants: ReadonlySet<string>): RuleContext {
    const file = (table: { readonly name: string }) => mapFile(this.#settings, table.name);
    return {
      version: this.#settings.version,
      inUse: hap`{ var(txn.fl) -m sub ${word(flagOf(this.#driver.routeParts, part.feature))} }`,
      variants: [...variants].sort(),
      file,
      lookup: (table) => hap`var(txn.rid),map_${word(table.match)}(${file(table)})`,
    };
  }

  #rules(use: ReadonlyMap<RoutePolicyName, { variants: Set<string> }>): readonly Rule[] {
    return this.#driver.routeParts.flatMap((part) => {
      const entry = use.get(part.feature);
      return entry ? part.rules(this.#context(part, entry.variants)) : [];
    });
  }

  #maps({ routes, defaultBackend }: Model, use: ReadonlyMap<RoutePolicyName, unknown>): ReadonlyMap<string, PlanMap> {
    const entries = new Map<string, Map<string, string>>();
    const tables = this.#driver.routeParts.filter((part) => use.has(part.feature)).flatMap((part) => part.tables);
    for (const table of tables) entries.set(table.name, new Map());
    const sharing: RouteData['shared'][number][] = [];
    for (const route of routes) {
      const { rows, shared } = this.#routes.of(route);
      for (const row of rows) entries.get(row.table.name)?.set(row.key, row.value);
      sharing.push(...shared);
    }
    const shared = this.#shared.collect(sharing);
    for (const rows of shared) for (const row of rows) entries.get(row.table.name)?.set(row.key, row.value);
    const maps = new Map<string, PlanMap>(routeMaps(routes, (route) => this.#routes.of(route).flags, defaultBackend, this.#plainRows));
    for (const table of tables)
      maps.set(table.name, { name: table.name, match: table.match, entries: entries.get(table.name) ?? new Map() });
    return maps;
  }

  #structure(
    shape: RoutingShape,
    use: ReadonlyMap<RoutePolicyName, { variants: Set<string> }>,
    rules: readonly Rule[],
    profiles: ReadonlyMap<string, readonly string[]>,
    causes: ReadonlyMap<string, Origin | undefined>,
  ): Structure {
    const parts = this.#driver.routeParts.filter((part) => use.has(part.feature));
    const luaNames = ['routing.lua', ...parts.flatMap((part) => (part.lua ?? []).map((url) => url.pathname.split('/').at(-1) ?? ''))];
    const lua = new Map([...new Set(luaNames)].map((name) => [name, this.#driver.lua.get(name) ?? '']));
    const context = (part: AnyRoutePart) => this.#context(part, use.get(part.feature)?.variants ?? new Set());
    const own = parts.flatMap((part) => part.sections?.(context(part)) ?? []);
    const peerTables = parts.flatMap((part) => part.peerTables?.(context(part)) ?? []);
    const agent = agentSections(
      this.#settings,
      parts.flatMap((part) => part.messages?.(context(part)) ?? []),
    );
    const sections = [
      ...globalSections(this.#settings, [...lua.keys()], peerTables),
      frontendSection(this.#settings, shape, [...agent.rules, ...rules], parts.length > 0),
      ...statusSections(),
      ...uniqueSections(own),
      ...agent.sections,
    ];
    return { sections: sections.map(sectionText), spoe: agent.spoe.map(sectionText), profiles, lua, causes };
  }

  #agent(routes: readonly Route[]): ReadonlyMap<string, ReadonlyMap<string, unknown>> {
    const handlers = new Map<string, Map<string, unknown>>();
    for (const route of routes) {
      for (const entry of this.#routes.of(route).agent) {
        const table = handlers.get(entry.handler) ?? new Map<string, unknown>();
        handlers.set(entry.handler, table);
        table.set(entry.key, entry.value);
      }
    }
    return handlers;
  }
}

function sectionText(section: Section): readonly string[] {
  return [section.head.text, ...section.lines.map((line) => line.text)];
}

/** Two features may bring the same helper section: once is enough. */
function uniqueSections(sections: readonly Section[]): readonly Section[] {
  return [...new Map(sections.map((section) => [section.head.text, section])).values()];
}

/** The first line of the list is the fallback, under one name for good, so that another default is data and no reload. */
function planCertificates(certificates: readonly Certificate[], fallback: Secret): ReadonlyMap<string, PlanCertificate> {
  const chosen = certificates.find((certificate) => certificate.id === 'default')?.pem ?? fallback;
  const named = certificates.filter((certificate) => certificate.id !== 'default');
  return new Map([
    ['fallback.pem', { name: 'fallback.pem', pem: chosen, names: [] }],
    ...named.map((certificate): [string, PlanCertificate] => {
      const name = `${shortDigest(certificate.id)}.pem`;
      return [name, { name, pem: certificate.pem, names: certificate.names }];
    }),
  ]);
}

function shapeOf({ routes, defaultBackend }: Model, maps: ReadonlyMap<string, PlanMap>, loaded: RoutingShape): RoutingShape {
  return {
    wildcards: loaded.wildcards || routes.some((route) => route.host.type === 'wildcard'),
    anyHost: loaded.anyHost || defaultBackend !== undefined || routes.some((route) => route.host.type === 'any'),
    regexHosts: loaded.regexHosts || routes.some((route) => route.host.type === 'regex'),
    regexRows: Math.max(loaded.regexRows, regexRowCount(maps.get('regex')?.entries.keys() ?? [])),
    foldedPaths: loaded.foldedPaths || (maps.get('folded')?.entries.size ?? 0) > 0,
  };
}
