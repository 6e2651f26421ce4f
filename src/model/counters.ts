/** What was counted for a route since the data plane started. */
export interface RouteCounters {
  readonly statuses: Readonly<Record<'2xx' | '3xx' | '4xx' | '5xx', number>>;
  /** Upper bound in milliseconds, then the answers in this bucket alone; the last bound is Infinity. */
  readonly buckets: readonly (readonly [number, number])[];
  readonly sumMilliseconds: number;
}
