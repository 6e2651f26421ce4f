import type { RouteCounters } from '../model/counters.ts';
import { hostKey } from '../model/identity.ts';
import { pathText } from '../model/diff.ts';
import type { Model, Route } from '../model/model.ts';
import { originName } from '../model/origin.ts';

/** A route as `/admin/routes` shows it. The form is stable: scripts read it. */
export interface RouteView {
  readonly id: string;
  readonly host: string;
  readonly path: string;
  readonly object: string;
  readonly backend: string | null;
  readonly endpoints: number;
  readonly policies: readonly string[];
  readonly canaries: readonly {
    readonly backend: string;
    readonly object: string;
    readonly weight: number;
    readonly total: number;
    readonly endpoints: number;
  }[];
  readonly closed: number | null;
  readonly requests: { readonly '2xx': number; readonly '3xx': number; readonly '4xx': number; readonly '5xx': number };
  /** Mean time to the headers of an answer; null before the first one. */
  readonly meanMilliseconds: number | null;
}

export function routeViews(model: Model, counters: ReadonlyMap<string, RouteCounters>): readonly RouteView[] {
  const ready = new Map(
    model.backends.map((backend) => [backend.id, backend.endpoints.filter((endpoint) => endpoint.state === 'ready').length]),
  );
  return model.routes.map((route) => routeView(route, ready, counters.get(route.id)));
}

function routeView(route: Route, ready: ReadonlyMap<string, number>, counted: RouteCounters | undefined): RouteView {
  const requests = counted?.statuses ?? { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 };
  const total = counted?.buckets.reduce((sum, [, count]) => sum + count, 0) ?? 0;
  return {
    id: route.id,
    host: hostKey(route.host),
    path: pathText(route),
    object: originName(route.origin),
    backend: route.backend ?? null,
    endpoints: route.backend === undefined ? 0 : (ready.get(route.backend) ?? 0),
    policies: Object.keys(route.policies),
    canaries: route.canaries.map(({ backend, origin, weight, total: of }) => ({
      backend,
      object: originName(origin),
      weight,
      total: of,
      endpoints: ready.get(backend) ?? 0,
    })),
    closed: route.closed?.status ?? null,
    requests,
    meanMilliseconds: counted === undefined || total === 0 ? null : Math.round(counted.sumMilliseconds / total),
  };
}
