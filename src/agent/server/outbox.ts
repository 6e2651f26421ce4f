import type { Socket } from 'node:net';
import { ByteWriter } from '../wire/byte-writer.ts';
import { appendFrame } from '../wire/encode-frame.ts';
import type { SpopError } from '../wire/errors.ts';
import type { Frame } from '../wire/frame.ts';
import type { StatsBook } from './stats.ts';

/** From here on frames are written at once, so that a peer that does not read is noticed in time. */
const FLUSH_SIZE = 65_536;

/**
 * Frames on their way out. All that are appended in one turn of the event loop leave in one write: a write costs many
 * times what encoding does.
 */
export class Outbox {
  readonly #socket: Socket;
  readonly #stats: StatsBook;
  readonly #writer = new ByteWriter();
  #scheduled = false;
  #blocked = false;

  /** `onDrained` is called when a blocked outbox is free again. */
  constructor(socket: Socket, stats: StatsBook, onDrained: () => void) {
    this.#socket = socket;
    this.#stats = stats;
    socket.on('drain', () => {
      this.#blocked = false;
      onDrained();
    });
  }

  /** True while the peer does not take what was written: no more questions should be read from it then. */
  get blocked(): boolean {
    return this.#blocked;
  }

  /** Faults as for `appendFrame`. */
  append(frame: Frame, maxFrameSize: number): SpopError | undefined {
    const error = appendFrame(this.#writer, frame, maxFrameSize);
    if (error !== undefined) return error;
    this.#stats.counters.framesSent += 1;
    if (this.#writer.length >= FLUSH_SIZE) this.flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      queueMicrotask(() => {
        this.#scheduled = false;
        this.flush();
      });
    }
    return undefined;
  }

  flush(): void {
    if (this.#writer.length === 0) return;
    const bytes = this.#writer.take();
    if (this.#socket.writable && !this.#socket.write(bytes)) this.#blocked = true;
  }
}
