/**
 * The bound over all connections. Whoever is refused may wait; those who wait are let in one after the other, first
 * come first served, in a microtask of its own so that giving back a place never runs another connection's code.
 */
export class Gate {
  readonly #places: number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;
  #scheduled = false;

  constructor(places: number) {
    this.#places = places;
  }

  enter(): boolean {
    if (this.#taken >= this.#places) return false;
    this.#taken += 1;
    return true;
  }

  leave(): void {
    this.#taken -= 1;
    if (this.#waiting.size === 0 || this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => this.#admit());
  }

  /** `retry` is called once when there is a place; it enters for itself, and waits again if it comes too late. */
  wait(retry: () => void): void {
    this.#waiting.add(retry);
  }

  forget(retry: () => void): void {
    this.#waiting.delete(retry);
  }

  #admit(): void {
    this.#scheduled = false;
    for (const retry of this.#waiting) {
      if (this.#taken >= this.#places) return;
      this.#waiting.delete(retry);
      retry();
    }
  }
}
