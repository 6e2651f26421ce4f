import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { HaproxyHello } from '../../wire/hello.ts';
import type { ListenAddress } from '../address.ts';
import type { AgentEvent } from '../events.ts';
import type { AgentHandler, HandlerResult } from '../handler.ts';
import type { AgentLimits } from '../limits.ts';
import { AgentServer } from '../server.ts';
import type { AgentStats } from '../stats.ts';
import { FakeClock } from './clocks.ts';
import { SpopClient } from './spop-client.ts';

export interface Running {
  readonly server: AgentServer;
  readonly clock: FakeClock;
  readonly address: ListenAddress;
  readonly events: readonly AgentEvent[];
  client(hello?: Partial<HaproxyHello>): Promise<SpopClient>;
  /** Waits, in real time, until the statistics say so. */
  until(condition: (stats: AgentStats) => boolean): Promise<void>;
}

/** A folder that is gone after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ramjet-agent-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A server on a unix socket, stopped after the test. */
export async function run(handlers: readonly AgentHandler[], limits: Partial<AgentLimits> = {}): Promise<Running> {
  const clock = new FakeClock();
  const events: AgentEvent[] = [];
  const server = new AgentServer({ handlers, clock, limits, report: (event) => events.push(event) });
  const address = await server.listen({ kind: 'unix', path: join(await temporaryFolder(), 'agent.sock') });
  const clients: SpopClient[] = [];
  onTestFinished(async () => {
    for (const client of clients) client.socket.destroy();
    await server.stop();
  });
  const client = async (hello: Partial<HaproxyHello> = {}): Promise<SpopClient> => {
    const opened = await SpopClient.greeted(address, hello);
    clients.push(opened);
    return opened;
  };
  const until = async (condition: (stats: AgentStats) => boolean): Promise<void> => {
    while (!condition(server.stats())) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  return { server, clock, address, events, client, until };
}

export function handler(message: string, handle: AgentHandler['handle'], more: Partial<AgentHandler> = {}): AgentHandler {
  return { message, handle, ...more };
}

/** A handler whose answers the test gives, by the order of the questions. */
export class Manual implements AgentHandler {
  readonly message = 'manual';
  readonly signals: AbortSignal[] = [];
  readonly #answers: ((result: HandlerResult) => void)[] = [];

  get asked(): number {
    return this.#answers.length;
  }

  handle: AgentHandler['handle'] = (_, context) => {
    this.signals.push(context.signal);
    return new Promise((resolve) => this.#answers.push(resolve));
  };

  answer(index: number, result: HandlerResult = []): void {
    this.#answers[index]?.(result);
  }
}
