/** Time as the server sees it; nothing in this folder reads the real one. */
export interface Clock {
  /** Milliseconds that only ever grow, from any origin. */
  now(): number;
  /**
   * Calls back once after `delayMs` (0 and more) unless cancelled before; never before `after` itself has returned.
   * Must not keep the process alive.
   */
  after(delayMs: number, callback: () => void): Cancel;
}

/** Cancels a timer; harmless when it has already fired. */
export type Cancel = () => void;
