import { shortDigest } from '../../model/identity.ts';
import type { PathMatch, Route } from '../../model/model.ts';
import { simplePath } from '../../model/simple-path.ts';
import { regexKey } from '../tokens.ts';
import type { PathEntry } from './path-table.ts';
import { pathTable } from './path-table.ts';
import type { PlanMap } from './plan.ts';
import {
  compareRegexRoutes,
  hostTable,
  lookupHost,
  pathKeyText,
  pathLength,
  regexEntry,
  regexRows,
  requireKey,
  routeValue,
  simpleKey,
} from './routing.ts';

interface Tables {
  readonly routes: Map<string, string>;
  readonly wild: Map<string, string>;
  readonly hosts: Map<string, string>;
  /** By host: paths that need a regular expression. */
  readonly regex: Map<string, Route[]>;
  /** By host: simple regular expressions that ignore case. */
  readonly folded: Map<string, Route[]>;
  /** By host: all plain and simple paths of hosts where a simple regular expression minds the case. */
  readonly mixed: Map<string, Route[]>;
}

type RouteText = (route: Route) => string;

/** Where a plain path stands, computed once for each route. */
interface PlainRow {
  readonly table: 'routes' | 'wild';
  readonly guard: string;
  readonly key: string;
  readonly value: string;
}

export type PlainRowMemory = WeakMap<Route, PlainRow>;

/** The tables that routing looks up. All exist always, so that their first entry is no reload by itself. */
export function routeMaps(
  routes: readonly Route[],
  flagsOf: RouteText,
  defaultBackend = '',
  memory: PlainRowMemory = new WeakMap(),
): readonly (readonly [string, PlanMap])[] {
  const tables: Tables = { routes: new Map(), wild: new Map(), hosts: new Map(), regex: new Map(), folded: new Map(), mixed: new Map() };
  const guard = routeValue(defaultBackend, '', '', 0);
  const valueOf: RouteText = (route) => routeText(route, flagsOf);
  if (defaultBackend !== '') tables.routes.set('*/', guard);
  for (const route of routes) if (placeOf(route.path) === 'mixed') tables.mixed.set(hostName(route), []);
  for (const route of routes) {
    if (placeOf(route.path) === 'plain' && route.host.type !== 'regex' && tables.mixed.size === 0)
      addPlain(plainRow(route, valueOf, memory), tables, guard);
    else addRoute(route, tables, valueOf, guard);
  }
  for (const list of tables.mixed.values()) addMixed(list, tables, valueOf, guard);
  const folded = new Map<string, string>();
  for (const [host, list] of tables.folded) {
    const entries = list.sort(compareRegexRoutes).map((route, index) => entryOf(route, valueOf(route), index + 1, { fold: true }));
    for (const [key, value] of pathTable(entries)) folded.set(requireKey(host + key), value);
  }
  const regex = new Map<string, string>();
  for (const [host, list] of tables.regex) {
    const items = list
      .sort(compareRegexRoutes)
      .flatMap((route) => (route.path.type === 'regex' ? [regexEntry(route.path, valueOf(route))] : []));
    for (const [key, value] of regexRows(requireKey(host), items)) regex.set(key, value);
  }
  return [
    ['routes', { name: 'routes', match: 'beg', entries: tables.routes }],
    ['wild', { name: 'wild', match: 'beg', entries: tables.wild }],
    ['hosts', { name: 'hosts', match: 'reg', entries: tables.hosts }],
    ['folded', { name: 'folded', match: 'beg', entries: folded }],
    ['regex', { name: 'regex', match: 'str', entries: regex }],
  ];
}

function hostName(route: Route): string {
  return lookupHost(route.host, (pattern) => `~${shortDigest(pattern)}`);
}

/** Where a path is looked up. */
function placeOf(path: PathMatch): 'plain' | 'mixed' | 'folded' | 'regex' {
  if (path.type !== 'regex') return 'plain';
  if (simplePath(path.pattern) === undefined) return 'regex';
  return path.caseSensitive ? 'mixed' : 'folded';
}

function plainRow(route: Route, valueOf: RouteText, memory: PlainRowMemory): PlainRow {
  const known = memory.get(route);
  if (known) return known;
  const { table, prefix } = hostTable(route.host);
  const host = prefix(hostName(route));
  const key = route.path.type === 'regex' ? '' : pathKeyText(route.path);
  const row = { table, guard: requireKey(`${host}/`), key: requireKey(host + key), value: valueOf(route) };
  memory.set(route, row);
  return row;
}

function addPlain({ table, guard, key, value }: PlainRow, tables: Tables, unmatched: string): void {
  // A known host without a fitting path must not fall through to a wildcard: its root is always there.
  if (guard !== key && !tables[table].has(guard)) tables[table].set(guard, unmatched);
  tables[table].set(key, value);
}

function addRoute(route: Route, tables: Tables, valueOf: RouteText, unmatched: string): void {
  const name = hostName(route);
  const { table, prefix } = hostTable(route.host);
  if (route.host.type === 'regex') tables.hosts.set(requireKey(`^(?:${regexKey(route.host.pattern)})$`), name);
  // A known host without a fitting path must not fall through to a wildcard: its root is always there.
  const guard = `${prefix(name)}/`;
  if (!tables[table].has(guard)) tables[table].set(requireKey(guard), unmatched);
  const place = placeOf(route.path);
  if (place === 'regex' || place === 'folded') {
    const list = tables[place].get(name);
    if (list) list.push(route);
    else tables[place].set(name, [route]);
    return;
  }
  const mixed = tables.mixed.get(name);
  if (mixed) mixed.push(route);
  else if (route.path.type !== 'regex') tables[table].set(requireKey(prefix(name) + pathKeyText(route.path)), valueOf(route));
}

/** All routes are of one host. */
function addMixed(list: Route[], tables: Tables, valueOf: RouteText, unmatched: string): void {
  const [first] = list;
  if (first === undefined) return;
  const { table, prefix } = hostTable(first.host);
  const root: PathEntry = { key: '/', value: unmatched, length: 0, order: list.length + 1, below: false };
  const entries = list.sort(compareRegexRoutes).map((route, index) => entryOf(route, valueOf(route), index + 1, { fold: false }));
  for (const [key, value] of pathTable([root, ...entries])) tables[table].set(requireKey(prefix(hostName(first)) + key), value);
}

function entryOf({ path }: Route, value: string, order: number, options: { readonly fold: boolean }): PathEntry {
  const length = pathLength(path);
  const simple = path.type === 'regex' ? simplePath(path.pattern) : undefined;
  if (simple === undefined) return { key: path.type === 'regex' ? '' : pathKeyText(path), value, length, order: 0, below: false };
  const { key, below } = simpleKey(simple);
  return { key: options.fold ? key.toLowerCase() : key, value, length, order, below };
}

function routeText(route: Route, flagsOf: RouteText): string {
  if (route.closed) return routeValue(`status_${route.closed.status}`, route.id, '', pathLength(route.path));
  return routeValue(route.backend ?? 'status_503', route.id, flagsOf(route), pathLength(route.path));
}
