import type { RouteCounters } from '../model/counters.ts';
import { LATENCY_BUCKETS, ROUTE_COUNTERS } from './plan/frontend.ts';
import type { RuntimeClient } from './runtime/client.ts';
import { createRuntimeCommands } from './runtime/commands.ts';

const ROUTE_TABLE = 'local/routes';

/** Counters by route id. An unreachable HAProxy gives none. */
export async function readRouteCounters(client: RuntimeClient): Promise<ReadonlyMap<string, RouteCounters>> {
  const table = await createRuntimeCommands(client).showTable(ROUTE_TABLE);
  if (!table.ok) return new Map();
  return new Map(table.value.rows.map((entry) => [entry.key, countersOf(entry.gpc)]));
}

function countersOf(gpc: readonly number[]): RouteCounters {
  const at = (index: number) => gpc[index] ?? 0;
  const status = ROUTE_COUNTERS.status;
  return {
    statuses: { '2xx': at(status), '3xx': at(status + 1), '4xx': at(status + 2), '5xx': at(status + 3) },
    buckets: [...LATENCY_BUCKETS, Infinity].map((bound, index) => [bound, at(index)] as const),
    sumMilliseconds: at(ROUTE_COUNTERS.sum),
  };
}
