import { type SpopError, type SpopErrorCode, spopError } from './errors.ts';

const INITIAL_SIZE = 1024;
/** A larger buffer than this is given up after use: one big frame must not cost its memory for ever. */
const KEEP_SIZE = 65_536;

/**
 * Collects the bytes of one or many frames. As in `ByteReader` a fault is kept and makes the following writes do
 * nothing; `rewind` forgets it together with the bytes written since a mark.
 */
export class ByteWriter {
  #buffer: Buffer = Buffer.allocUnsafe(INITIAL_SIZE);
  #length = 0;
  #end = Number.POSITIVE_INFINITY;
  #error: SpopError | undefined;

  get length(): number {
    return this.#length;
  }

  get error(): SpopError | undefined {
    return this.#error;
  }

  fail(code: SpopErrorCode, detail: string): void {
    this.#error ??= spopError(code, detail);
  }

  /** From here on at most `size` bytes may be written; more is the fault `frame-too-big`. */
  limit(size: number): void {
    this.#end = this.#length + size;
  }

  /** Back to `length` bytes, without fault and without limit. */
  rewind(length: number): void {
    this.#length = length;
    this.unlimit();
    this.#error = undefined;
  }

  unlimit(): void {
    this.#end = Number.POSITIVE_INFINITY;
  }

  byte(value: number): void {
    if (!this.#reserve(1)) return;
    this.#buffer[this.#length] = value;
    this.#length += 1;
  }

  /** Four bytes in network byte order; `value` is 0 to 2^32-1. */
  uint32(value: number): void {
    if (!this.#reserve(4)) return;
    this.#buffer.writeUInt32BE(value, this.#length);
    this.#length += 4;
  }

  /** Overwrites four bytes that are there already: the frame length, known only when the frame is complete. */
  patchUint32(offset: number, value: number): void {
    this.#buffer.writeUInt32BE(value, offset);
  }

  bytes(value: Uint8Array): void {
    if (!this.#reserve(value.length)) return;
    this.#buffer.set(value, this.#length);
    this.#length += value.length;
  }

  /** One byte for each character; a character above U+00FF is the fault `value-out-of-range`. */
  byteString(value: string): void {
    if (!this.#reserve(value.length)) return;
    let seen = 0;
    for (let i = 0; i < value.length; i += 1) {
      const code = value.charCodeAt(i);
      seen |= code;
      this.#buffer[this.#length + i] = code;
    }
    this.#length += value.length;
    if (seen > 0xff) this.fail('value-out-of-range', 'a byte string has a character above U+00FF');
  }

  /** Hands out everything written, as bytes of their own, and starts again from empty. */
  take(): Uint8Array {
    const taken = Buffer.allocUnsafe(this.#length);
    this.#buffer.copy(taken, 0, 0, this.#length);
    this.rewind(0);
    if (this.#buffer.length > KEEP_SIZE) this.#buffer = Buffer.allocUnsafe(INITIAL_SIZE);
    return taken;
  }

  #reserve(size: number): boolean {
    if (this.#error !== undefined) return false;
    const needed = this.#length + size;
    if (needed > this.#end) {
      this.fail('frame-too-big', 'the frame would exceed the negotiated max-frame-size');
      return false;
    }
    if (needed > this.#buffer.length) this.#grow(needed);
    return true;
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
