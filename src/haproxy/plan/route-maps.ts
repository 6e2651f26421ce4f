import { shortDigest } from '../../model/identity.ts';
import type { Route } from '../../model/model.ts';
import type { PlanMap } from './plan.ts';
import { compareRegexRoutes, hostTable, lookupHost, pathKeyText, pathLength, regexEntry, requireKey, routeValue } from './routing.ts';

interface Tables {
  readonly routes: Map<string, string>;
  readonly wild: Map<string, string>;
  readonly hosts: Map<string, string>;
  readonly regex: Map<string, Route[]>;
}

/** The tables that routing looks up. All four exist always, so that their first entry is no reload by itself. */
export function routeMaps(routes: readonly Route[], flagsOf: (route: Route) => string, defaultBackend = ''): readonly (readonly [string, PlanMap])[] {
  const tables: Tables = { routes: new Map(), wild: new Map(), hosts: new Map(), regex: new Map() };
  const guard = routeValue(defaultBackend, '', '', 0);
  if (defaultBackend !== '') tables.routes.set('*/', guard);
  for (const route of routes) addRoute(route, tables, flagsOf, guard);
  const regex = new Map<string, string>();
  for (const [host, list] of tables.regex) {
    list.sort(compareRegexRoutes);
    const items = list.flatMap((route) => (route.path.type === 'regex' ? [regexEntry(route.path, valueOf(route, flagsOf))] : []));
    regex.set(requireKey(host), items.join(';'));
  }
  return [
    ['routes', { name: 'routes', match: 'beg', entries: tables.routes }],
    ['wild', { name: 'wild', match: 'beg', entries: tables.wild }],
    ['hosts', { name: 'hosts', match: 'reg', entries: tables.hosts }],
    ['regex', { name: 'regex', match: 'str', entries: regex }],
  ];
}

function addRoute(route: Route, tables: Tables, flagsOf: (route: Route) => string, unmatched: string): void {
  const name = lookupHost(route.host, (pattern) => `~${shortDigest(pattern)}`);
  const { table, prefix } = hostTable(route.host);
  if (route.host.type === 'regex') tables.hosts.set(requireKey(`^${route.host.pattern}$`), name);
  // A known host without a fitting path must not fall through to a wildcard: its root is always there.
  const guard = `${prefix(name)}/`;
  if (!tables[table].has(guard)) tables[table].set(requireKey(guard), unmatched);
  if (route.path.type === 'regex') {
    const list = tables.regex.get(name);
    if (list) list.push(route);
    else tables.regex.set(name, [route]);
    return;
  }
  tables[table].set(requireKey(prefix(name) + pathKeyText(route.path)), valueOf(route, flagsOf));
}

function valueOf(route: Route, flagsOf: (route: Route) => string): string {
  if (route.closed) return routeValue(`status_${route.closed.status}`, route.id, '', pathLength(route.path));
  return routeValue(route.backend ?? 'status_503', route.id, flagsOf(route), pathLength(route.path));
}
