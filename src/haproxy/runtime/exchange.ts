import { createConnection, type Socket } from 'node:net';
import type { Clock } from './clock.ts';

/** What one connection brought. `text` of a failure is what had arrived until then. */
export type Exchange =
  | { readonly kind: 'answered'; readonly text: string }
  | { readonly kind: 'unreachable'; readonly detail: string }
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

/** One connection: send, read until the peer closes. Never the interactive prompt. */
export function exchange(options: ExchangeOptions): Promise<Exchange> {
  if (Buffer.byteLength(options.socketPath) > MAX_SOCKET_PATH_BYTES) {
    return Promise.resolve({ kind: 'unreachable', detail: `socket path longer than ${String(MAX_SOCKET_PATH_BYTES)} bytes` });
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let connected = false;
    const socket: Socket = createConnection({ path: options.socketPath, allowHalfOpen: true });
    const cancel = options.clock.after(options.timeoutMs, () => {
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
    socket.on('error', (error) => {
      if (connected) finish({ kind: 'broken', text: text(), detail: error.message });
      else finish({ kind: 'unreachable', detail: error.message });
    });
  });
}
