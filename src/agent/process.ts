import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type AgentAnswer, type AgentCommand, parseAnswer } from './protocol.ts';
import { realClock } from './real-clock.ts';
import type { Cancel, Clock } from './server/clock.ts';

export interface AgentProcessOptions {
  readonly runDir: string;
  /** How to start the agent; default: the bundle or source file beside this one. */
  readonly command?: AgentCommandLine;
  /** What an operator may want to read. Must not throw. */
  readonly report?: (event: AgentProcessEvent) => void;
  readonly times?: Partial<AgentProcessTimes>;
  readonly clock?: Clock;
}

export interface AgentCommandLine {
  readonly file: string;
  readonly args: readonly string[];
}

/** All in milliseconds. */
export interface AgentProcessTimes {
  /** From the start of the process to `started`. */
  readonly start: number;
  /** For an answer to `load`, a restart included. */
  readonly load: number;
  /** Between two pings. */
  readonly ping: number;
  /** A process that has not answered for so long is ended: its event loop hangs. */
  readonly silence: number;
  /** First pause before a restart; doubled at each further one, up to `longestPause`. */
  readonly pause: number;
  readonly longestPause: number;
  /** A process that worked for so long starts again without a longer pause. */
  readonly proven: number;
  /** From SIGTERM to SIGKILL. */
  readonly stop: number;
}

const TIMES: AgentProcessTimes = {
  start: 10_000,
  load: 15_000,
  ping: 2_000,
  silence: 10_000,
  pause: 100,
  longestPause: 10_000,
  proven: 30_000,
  stop: 5_000,
};

export type AgentProcessEvent =
  | { readonly kind: 'started'; readonly pid: number }
  | { readonly kind: 'ended'; readonly reason: string; readonly restartIn: number }
  /** A line that the agent wrote to its standard error. */
  | { readonly kind: 'line'; readonly text: string };

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  readonly cancel: Cancel;
}

/**
 * The controller's side of the agent: one child process, started again whenever it ends. The facts are on
 * disk before `load` is called, so a process that starts meanwhile already has them: its `started` answers
 * every `load` that waits.
 */
export class AgentProcess {
  readonly #options: AgentProcessOptions;
  readonly #times: AgentProcessTimes;
  readonly #command: AgentCommandLine;
  readonly #clock: Clock;
  readonly #waiting = new Map<number, Waiting>();
  #child: ChildProcess | undefined;
  #nextId = 1;
  #running = false;
  #stopping = false;
  #startedAt = 0;
  #heardAt = 0;
  #pause: number;
  #cancelRestart: Cancel = () => undefined;

  private constructor(options: AgentProcessOptions) {
    this.#options = options;
    this.#times = { ...TIMES, ...options.times };
    this.#clock = options.clock ?? realClock;
    this.#command = options.command ?? agentCommand();
    this.#pause = this.#times.pause;
  }

  /** Resolves when the agent answers HAProxy with the facts on disk. Rejects if it does not come up at all. */
  static async start(options: AgentProcessOptions): Promise<AgentProcess> {
    const agent = new AgentProcess(options);
    const started = agent.#answerTo(0, agent.#times.start);
    agent.#spawn();
    try {
      await started;
    } catch (error) {
      await agent.stop();
      throw error;
    }
    return agent;
  }

  /** The process is up and spoke lately. */
  get healthy(): boolean {
    return this.#running && this.#clock.now() - this.#heardAt < this.#times.silence;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /**
   * Call it after `agent.json` was written and before HAProxy's maps change: resolves when the agent decides by what
   * is on disk. Rejects if the agent can't use it, or does not come back in time.
   */
  load(): Promise<void> {
    const id = this.#nextId++;
    const done = this.#answerTo(id, this.#times.load);
    // Otherwise `started` will answer.
    if (this.#running) this.#send({ type: 'load', id });
    return done;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#cancelRestart();
    this.#settleAll(new Error('the agent is being stopped'));
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    const cancel = this.#clock.after(this.#times.stop, () => child.kill('SIGKILL'));
    await ended;
    cancel();
  }

  #spawn(): void {
    const { file, args } = this.#command;
    const child = spawn(file, [...args, '--run-dir', this.#options.runDir], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    this.#child = child;
    this.#startedAt = this.#clock.now();
    this.#heardAt = this.#startedAt;
    let ended = false;
    const onEnd = (reason: string) => {
      if (ended) return;
      ended = true;
      cancelWatch();
      this.#onEnd(reason);
    };
    const watch = () => {
      this.#watch(child);
      cancelWatch = this.#clock.after(this.#times.ping, watch);
    };
    let cancelWatch = this.#clock.after(this.#times.ping, watch);
    if (child.stderr) createInterface({ input: child.stderr }).on('line', (text) => this.#options.report?.({ kind: 'line', text }));
    child.on('message', (message) => this.#onMessage(message));
    child.once('error', (error) => onEnd(error.message));
    child.once('exit', (code, signal) => onEnd(signal === null ? `exit status ${code}` : signal));
  }

  #watch(child: ChildProcess): void {
    const limit = this.#running ? this.#times.silence : this.#times.start;
    if (this.#clock.now() - this.#heardAt > limit) child.kill('SIGKILL');
    else if (this.#running) this.#send({ type: 'ping', id: this.#nextId++ });
  }

  #onMessage(message: unknown): void {
    const answer = parseAnswer(message);
    if (answer === undefined) return;
    this.#heardAt = this.#clock.now();
    if (answer.type === 'started') this.#onStarted();
    else this.#settle(answer);
  }

  #onStarted(): void {
    this.#running = true;
    if (this.#child?.pid !== undefined) this.#options.report?.({ kind: 'started', pid: this.#child.pid });
    this.#settleAll(undefined);
  }

  #onEnd(reason: string): void {
    this.#running = false;
    if (this.#stopping) return;
    if (this.#clock.now() - this.#startedAt > this.#times.proven) this.#pause = this.#times.pause;
    const restartIn = this.#pause;
    this.#pause = Math.min(this.#pause * 2, this.#times.longestPause);
    this.#options.report?.({ kind: 'ended', reason, restartIn });
    this.#cancelRestart = this.#clock.after(restartIn, () => this.#spawn());
  }

  #send(command: AgentCommand): void {
    // A process that just ended can't be told any more; the next one reads the disk anyway.
    this.#child?.send(command, () => undefined);
  }

  #answerTo(id: number, milliseconds: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(milliseconds, () => {
        this.#waiting.delete(id);
        reject(new Error(`the agent did not answer within ${milliseconds} ms`));
      });
      this.#waiting.set(id, { resolve, reject, cancel });
    });
  }

  #settle(answer: Exclude<AgentAnswer, { type: 'started' }>): void {
    const waiting = this.#waiting.get(answer.id);
    if (waiting === undefined) return;
    this.#waiting.delete(answer.id);
    waiting.cancel();
    if (answer.type === 'done') waiting.resolve();
    else waiting.reject(new Error(answer.reason));
  }

  #settleAll(error: Error | undefined): void {
    for (const { resolve, reject, cancel } of this.#waiting.values()) {
      cancel();
      if (error === undefined) resolve();
      else reject(error);
    }
    this.#waiting.clear();
  }
}

/** Beside this file: the bundle in dist/, the source in a checkout. */
function agentCommand(): AgentCommandLine {
  const bundled = import.meta.url.endsWith('.mjs');
  const file = new URL(bundled ? './agent.mjs' : './main.ts', import.meta.url).pathname;
  return { file: process.execPath, args: bundled ? [file] : ['--import', 'tsx', file] };
}
