import { createConnection, type Socket } from 'node:net';
import { type Clock, sleep } from './clock.ts';

/** What one connection brought. `text` of a failure is what had arrived until then. */
export type Exchange =
  | { readonly kind: 'answered'; readonly text: string }
  /** Nothing was sent. `crowded`: somebody listens and its queue is full. */
  | { readonly kind: 'unreachable'; readonly detail: string; readonly crowded: boolean }
  | { readonly kind: 'timeout'; readonly text: string }
  | { readonly kind: 'broken'; readonly text: string; readonly detail: string };

export interface ExchangeOptions {
  readonly socketPath: string;
  readonly text: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** The master's socket answers and then waits for the next command unless our side is closed. */
  readonly halfClose: boolean;
}

/** A longer path does not fit `sun_path`; Node would cut it or throw. */
export const MAX_SOCKET_PATH_BYTES = 107;

const CROWDED_PAUSE_MS = 5;

/**
 * One connection: send, read until the peer closes. Never the interactive prompt. HAProxy serves 10
 * connections at once (`stats maxconn`) and queues 10; a further one is refused with EAGAIN, which
 * only means "not now".
 */
export async function exchange(options: ExchangeOptions): Promise<Exchange> {
  if (Buffer.byteLength(options.socketPath) > MAX_SOCKET_PATH_BYTES) {
    return { kind: 'unreachable', detail: `socket path longer than ${String(MAX_SOCKET_PATH_BYTES)} bytes`, crowded: false };
  }
  const deadline = options.clock.now() + options.timeoutMs;
  for (;;) {
    const outcome = await attempt(options, Math.max(1, deadline - options.clock.now()));
    if (outcome.kind !== 'unreachable' || !outcome.crowded || options.clock.now() >= deadline) return outcome;
    await sleep(options.clock, CROWDED_PAUSE_MS);
  }
}

function attempt(options: ExchangeOptions, timeoutMs: number): Promise<Exchange> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let connected = false;
    const socket: Socket = createConnection({ path: options.socketPath, allowHalfOpen: true });
    const cancel = options.clock.after(timeoutMs, () => {
      finish({ kind: 'timeout', text: text() });
    });
    function text(): string {
      return Buffer.concat(chunks).toString('utf8');
    }
    function finish(outcome: Exchange): void {
      cancel();
      socket.destroy();
      resolve(outcome);
    }
    socket.on('connect', () => {
      connected = true;
      if (options.halfClose) socket.end(options.text);
      else socket.write(options.text);
    });
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => {
      finish({ kind: 'answered', text: text() });
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (connected) finish({ kind: 'broken', text: text(), detail: error.message });
      else finish({ kind: 'unreachable', detail: error.message, crowded: error.code === 'EAGAIN' });
    });
  });
}
