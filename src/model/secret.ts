import { inspect } from 'node:util';

const REDACTED = '[redacted]';

/**
 * Text that must not be printed by accident: keys, password hashes. Every way of printing it gives
 * `[redacted]`; only `reveal()` gives the text, so a search for `reveal` finds every use.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  equals(other: Secret): boolean {
    return this.#text === other.#text;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
