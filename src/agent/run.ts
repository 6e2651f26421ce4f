import { join } from 'node:path';
import { readAgentData } from './data.ts';
import { realClock } from './real-clock.ts';
import type { Report } from './server/events.ts';
import type { AgentModule, AgentService } from './server/handler.ts';
import { AgentServer } from './server/server.ts';
import type { AgentStats } from './server/stats.ts';

export interface AgentOptions {
  /** Holds `agent.json`, and the socket `agent.sock`. */
  readonly runDir: string;
  readonly modules: readonly AgentModule[];
  readonly report?: Report;
}

/** The agent at work: modules with their facts behind one socket. */
export class Agent {
  readonly #services: ReadonlyMap<string, AgentService>;
  readonly #server: AgentServer;
  readonly #runDir: string;
  #loading: Promise<void> = Promise.resolve();

  private constructor(options: AgentOptions) {
    this.#runDir = options.runDir;
    this.#services = new Map(options.modules.map((module) => [module.name, module.start(realClock)]));
    const handlers = [...this.#services.values()].flatMap((service) => service.handlers);
    this.#server = new AgentServer({ handlers, clock: realClock, ...(options.report ? { report: options.report } : {}) });
  }

  /** Takes the facts on disk into effect and opens the socket, in this order. */
  static async start(options: AgentOptions): Promise<Agent> {
    const agent = new Agent(options);
    await agent.load();
    await agent.#server.listen({ kind: 'unix', path: join(options.runDir, 'agent.sock'), mode: 0o600 });
    return agent;
  }

  /**
   * Resolves when the facts on disk at the time of the call, or newer ones, are in effect. Rejects if they can't be
   * used; then nothing has changed.
   */
  load(): Promise<void> {
    const next = this.#loading.catch(() => undefined).then(() => this.#load());
    this.#loading = next;
    return next;
  }

  stats(): AgentStats {
    return this.#server.stats();
  }

  async stop(): Promise<void> {
    await this.#server.stop({ drainMs: 1_000 });
    await Promise.all([...this.#services.values()].map(async (service) => service.stop?.()));
  }

  async #load(): Promise<void> {
    const data = await readAgentData(this.#runDir);
    // All or nothing: no module works with facts of another writing than the others.
    const commits = [...this.#services].map(([name, service]) => service.prepare(data.get(name) ?? new Map()));
    for (const commit of commits) commit();
  }
}
