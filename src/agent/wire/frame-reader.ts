import { type SpopError, spopError } from './errors.ts';
import { LENGTH_BYTES, MIN_FRAME_BYTES } from './frame.ts';

/** What `FrameReader.next` found: a whole frame without its length prefix, too few bytes so far, or a fault. */
export type FrameReaderStep =
  | { readonly kind: 'frame'; readonly bytes: Uint8Array }
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'fault'; readonly error: SpopError };

const INCOMPLETE: FrameReaderStep = { kind: 'incomplete' };

/**
 * Cuts a stream of arbitrary chunks into frames (SPOE.txt 3.2: four bytes of length, then the frame).
 *
 * A frame that lies within one chunk is handed out as a view of it; one that is spread over chunks is put together
 * once, in memory of its own, of which at most `maxFrameSize` bytes are ever asked for. No chunk is written to, and
 * none may be written to after `push`. A length outside 7..maxFrameSize is a fault, and final: where the next frame
 * begins is then unknown.
 */
export class FrameReader {
  #maxFrameSize: number;
  readonly #chunks: Uint8Array[] = [];
  /** Position in the first chunk. */
  #offset = 0;
  #lengthBytes = 0;
  #length = 0;
  #body: Uint8Array | undefined;
  #filled = 0;
  #error: SpopError | undefined;

  /** `maxFrameSize`: what this side announces, until `limit` gives the negotiated size. */
  constructor(maxFrameSize: number) {
    this.#maxFrameSize = maxFrameSize;
  }

  /** Takes effect with the next frame. */
  limit(maxFrameSize: number): void {
    this.#maxFrameSize = maxFrameSize;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length > 0) this.#chunks.push(chunk);
  }

  /** True when nothing but whole frames, all handed out, has arrived. */
  get idle(): boolean {
    return this.#chunks.length === 0 && this.#lengthBytes === 0;
  }

  next(): FrameReaderStep {
    if (this.#error === undefined && this.#readLength()) this.#checkLength();
    if (this.#error !== undefined) return { kind: 'fault', error: this.#error };
    if (this.#lengthBytes < LENGTH_BYTES) return INCOMPLETE;
    const bytes = this.#readBody();
    if (bytes === undefined) return INCOMPLETE;
    this.#lengthBytes = 0;
    this.#length = 0;
    return { kind: 'frame', bytes };
  }

  /** True at the moment when the length becomes known. */
  #readLength(): boolean {
    if (this.#lengthBytes === LENGTH_BYTES) return false;
    while (this.#lengthBytes < LENGTH_BYTES) {
      const chunk = this.#chunks[0];
      if (chunk === undefined) return false;
      this.#length = this.#length * 256 + (chunk[this.#offset] ?? 0);
      this.#lengthBytes += 1;
      this.#advance(chunk, 1);
    }
    return true;
  }

  #checkLength(): void {
    if (this.#length > this.#maxFrameSize) {
      this.#error = spopError('frame-too-big', `${this.#length} bytes where ${this.#maxFrameSize} are allowed`);
    } else if (this.#length < MIN_FRAME_BYTES) {
      this.#error = spopError('frame-too-short', `a frame of ${this.#length} bytes`);
    }
    if (this.#error !== undefined) this.#chunks.length = 0;
  }

  #readBody(): Uint8Array | undefined {
    const first = this.#chunks[0];
    if (this.#body === undefined && first !== undefined && first.length - this.#offset >= this.#length) {
      const view = first.subarray(this.#offset, this.#offset + this.#length);
      this.#advance(first, this.#length);
      return view;
    }
    return this.#collectBody();
  }

  #collectBody(): Uint8Array | undefined {
    this.#body ??= new Uint8Array(this.#length);
    while (this.#filled < this.#length) {
      const chunk = this.#chunks[0];
      if (chunk === undefined) return undefined;
      const size = Math.min(this.#length - this.#filled, chunk.length - this.#offset);
      this.#body.set(chunk.subarray(this.#offset, this.#offset + size), this.#filled);
      this.#filled += size;
      this.#advance(chunk, size);
    }
    const body = this.#body;
    this.#body = undefined;
    this.#filled = 0;
    return body;
  }

  #advance(chunk: Uint8Array, size: number): void {
    this.#offset += size;
    if (this.#offset < chunk.length) return;
    this.#chunks.shift();
    this.#offset = 0;
  }
}
