/** Time as live reload sees it; nothing in this folder reads the real one. */
export interface Clock {
  /** Milliseconds that only ever grow, from any origin. */
  now(): number;
  /** Calls back once after `delayMs` unless cancelled before. Must not keep the process alive. */
  after(delayMs: number, callback: () => void): Cancel;
}

/** Harmless when the timer has already fired. */
export type Cancel = () => void;
