import { type SpopError, type SpopErrorCode, spopError } from './errors.ts';

const EMPTY = new Uint8Array(0);

/**
 * Reads forward over the bytes of one frame. A fault is kept, not thrown: after the first one every read gives zero or
 * nothing, the position stands still, and `error` says what was wrong. So decoders read straight on and ask once at
 * the end; only their loops ask `more`, which is false after a fault.
 */
export class ByteReader {
  readonly #bytes: Buffer;
  #offset: number;
  #error: SpopError | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#offset = 0;
  }

  get error(): SpopError | undefined {
    return this.#error;
  }

  /** True while bytes are left and nothing was wrong. */
  get more(): boolean {
    return this.#error === undefined && this.#offset < this.#bytes.length;
  }

  /** Keeps the first fault; later ones are its consequences. */
  fail(code: SpopErrorCode, detail: string): void {
    this.#error ??= spopError(code, detail);
  }

  byte(): number {
    if (!this.#take(1)) return 0;
    return this.#bytes[this.#offset - 1] ?? 0;
  }

  /** Four bytes in network byte order. */
  uint32(): number {
    if (!this.#take(4)) return 0;
    return this.#bytes.readUInt32BE(this.#offset - 4);
  }

  /** A view of the next `length` bytes, not a copy: the frame must not be overwritten while the view lives. */
  bytes(length: number): Uint8Array {
    if (!this.#take(length)) return EMPTY;
    return this.#bytes.subarray(this.#offset - length, this.#offset);
  }

  /** The next `length` bytes as a string with one character, U+0000 to U+00FF, for each byte. */
  byteString(length: number): string {
    if (!this.#take(length)) return '';
    return this.#bytes.toString('latin1', this.#offset - length, this.#offset);
  }

  #take(length: number): boolean {
    if (this.#error !== undefined) return false;
    if (length > this.#bytes.length - this.#offset) {
      this.fail('truncated', 'a value runs past the end of the frame');
      return false;
    }
    this.#offset += length;
    return true;
  }
}
