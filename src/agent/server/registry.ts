import type { AgentHandler } from './handler.ts';
import type { MessageCounters, StatsBook } from './stats.ts';

/** A handler with the counters of its message. */
export interface Registered {
  readonly handler: AgentHandler;
  readonly counters: MessageCounters;
}

export type Registry = ReadonlyMap<string, Registered>;

/** Throws when two handlers want the same message: a mistake in how the program is put together. */
export function registryOf(handlers: readonly AgentHandler[], stats: StatsBook): Registry {
  const registry = new Map<string, Registered>();
  for (const handler of handlers) {
    if (registry.has(handler.message)) throw new Error(`two agent handlers for message ${handler.message}`);
    registry.set(handler.message, { handler, counters: stats.message(handler.message) });
  }
  return registry;
}
