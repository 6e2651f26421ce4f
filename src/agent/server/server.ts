import { chmod } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { boundAddress, type ListenAddress } from './address.ts';
import type { Clock } from './clock.ts';
import { Connection, type ConnectionOwner } from './connection.ts';
import type { Report } from './events.ts';
import { Gate } from './gate.ts';
import type { AgentHandler } from './handler.ts';
import { type AgentLimits, DEFAULT_LIMITS } from './limits.ts';
import { registryOf } from './registry.ts';
import type { Services } from './services.ts';
import { removeStaleSocket } from './socket-file.ts';
import { type AgentStats, StatsBook } from './stats.ts';

export interface AgentServerOptions {
  readonly handlers: readonly AgentHandler[];
  readonly clock: Clock;
  readonly limits?: Partial<AgentLimits>;
  /** Called for what an operator may want to read. Must not throw. */
  readonly report?: Report;
}

export interface StopOptions {
  /**
   * Milliseconds in which health checks already fail but questions are still answered: at least `inter` times `fall`
   * of HAProxy's server line, if it has another server to turn to. Default 0.
   */
  readonly noticeMs?: number;
  /** Milliseconds that questions in flight then have to be answered. Default 5000. */
  readonly drainMs?: number;
}

/** An SPOP agent: answers the questions that HAProxy's `filter spoe` sends (SPOE.txt 3). */
export class AgentServer implements ConnectionOwner {
  readonly #services: Services;
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  #healthy = true;
  #stopped: Promise<void> | undefined;
  #onEmpty: (() => void) | undefined;

  /** Throws when two handlers want the same message. */
  constructor(options: AgentServerOptions) {
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    const stats = new StatsBook();
    this.#services = {
      registry: registryOf(options.handlers, stats),
      clock: options.clock,
      limits,
      gate: new Gate(limits.maxInFlight),
      stats,
      report: options.report ?? (() => undefined),
    };
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  }

  get healthy(): boolean {
    return this.#healthy;
  }

  /**
   * Resolves to the address in use. Rejects with the system's error (`EADDRINUSE`, `EACCES`, ...); a socket file on
   * which nobody listens any more is replaced.
   */
  async listen(address: ListenAddress): Promise<ListenAddress> {
    try {
      await this.#bind(address);
    } catch (error) {
      if (!isAddressInUse(error) || address.kind !== 'unix') throw error;
      if (!(await removeStaleSocket(address.path))) throw error;
      await this.#bind(address);
    }
    if (address.kind === 'unix' && address.mode !== undefined) await chmod(address.path, address.mode);
    return boundAddress(address, this.#server.address());
  }

  stats(): AgentStats {
    return this.#services.stats.snapshot();
  }

  /**
   * Fails health checks for `noticeMs`; then accepts nothing more, answers what is in flight for up to `drainMs`, says
   * AGENT-DISCONNECT on every connection and closes it. A NOTIFY that HAProxy sends while AGENT-DISCONNECT is under
   * way fails there; the protocol has no way around that, a second server and `noticeMs` have. Calling it again gives
   * the same promise.
   */
  stop(options: StopOptions = {}): Promise<void> {
    this.#stopped ??= this.#stop(options.noticeMs ?? 0, options.drainMs ?? 5000);
    return this.#stopped;
  }

  /** For `Connection` only. */
  onClosed(connection: Connection): void {
    this.#connections.delete(connection);
    if (this.#connections.size === 0) this.#onEmpty?.();
  }

  #accept(socket: Socket): void {
    this.#connections.add(new Connection(socket, this.#services, this));
  }

  #bind(address: ListenAddress): Promise<void> {
    const options = address.kind === 'unix' ? { path: address.path } : { host: address.host, port: address.port };
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(options, () => {
        this.#server.off('error', reject);
        // An accept that fails (too many open files) would end the process if nobody listened.
        this.#server.on('error', (error) => this.#services.report({ kind: 'socket-error', error }));
        resolve();
      });
    });
  }

  async #stop(noticeMs: number, drainMs: number): Promise<void> {
    this.#healthy = false;
    if (noticeMs > 0) await this.#pause(noticeMs);
    // Without a listener there is nothing to close, which `close` reports as an error.
    if (this.#server.listening) this.#server.close();
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    for (const connection of this.#connections) connection.drain();
    const cancel = this.#services.clock.after(drainMs, () => {
      for (const connection of this.#connections) connection.abort();
    });
    if (this.#connections.size > 0) await empty;
    cancel();
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#services.clock.after(delayMs, resolve);
    });
  }
}

function isAddressInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}
