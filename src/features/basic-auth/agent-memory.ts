/** Verdicts by key, the least recently used forgotten first, each one after its time. */
export class VerdictMemory {
  readonly #entries = new Map<string, number>();
  readonly #capacity: number;
  readonly #lifetime: number;
  readonly #now: () => number;

  /** `lifetime` in milliseconds. */
  constructor(options: { readonly capacity: number; readonly lifetime: number; readonly now: () => number }) {
    this.#capacity = options.capacity;
    this.#lifetime = options.lifetime;
    this.#now = options.now;
  }

  has(key: string): boolean {
    const until = this.#entries.get(key);
    if (until === undefined) return false;
    this.#entries.delete(key);
    if (until <= this.#now()) return false;
    this.#entries.set(key, until);
    return true;
  }

  add(key: string): void {
    this.#entries.delete(key);
    this.#entries.set(key, this.#now() + this.#lifetime);
    if (this.#entries.size <= this.#capacity) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
