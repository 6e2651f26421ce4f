import type { Clock } from './clock.ts';
import type { Report } from './events.ts';
import type { Gate } from './gate.ts';
import type { AgentLimits } from './limits.ts';
import type { Registry } from './registry.ts';
import type { StatsBook } from './stats.ts';

/** What all connections of one server share. */
export interface Services {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly limits: AgentLimits;
  readonly gate: Gate;
  readonly stats: StatsBook;
  readonly report: Report;
}
