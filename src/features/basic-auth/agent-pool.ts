import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { isWorkerAnswer, type WorkerTask } from './agent-task.ts';

/** The pool can't take the question now. */
export class PoolBusy extends Error {
  override readonly name = 'PoolBusy';
}

interface Job {
  readonly hash: string;
  readonly password: string;
  readonly signal: AbortSignal;
  readonly resolve: (right: boolean) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  job: Job | undefined;
}

/** Half of the processors stay free for the proxy. */
const THREADS = Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)));
const MAX_WAITING = 256;

/** Checks slow hashes in threads, started when first needed, so that other questions never wait for them. */
export class HashPool {
  readonly #threads: Thread[] = [];
  readonly #waiting: Job[] = [];
  #nextId = 1;
  #stopped = false;

  /** Rejects with `PoolBusy`, or when `signal` says that nobody waits any more. */
  check(hash: string, password: string, signal: AbortSignal): Promise<boolean> {
    if (this.#stopped || this.#waiting.length >= MAX_WAITING) return Promise.reject(new PoolBusy('too many passwords to check'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ hash, password, signal, resolve, reject });
      this.#dispatch();
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const job of this.#waiting.splice(0)) job.reject(new PoolBusy('the agent stops'));
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  #dispatch(): void {
    for (;;) {
      const thread = this.#freeThread();
      const job = thread && this.#nextJob();
      if (thread === undefined || job === undefined) return;
      thread.job = job;
      const task: WorkerTask = { id: this.#nextId++, hash: job.hash, password: job.password };
      thread.worker.postMessage(task);
    }
  }

  #freeThread(): Thread | undefined {
    const free = this.#threads.find((thread) => thread.job === undefined);
    if (free !== undefined || this.#threads.length >= THREADS || this.#waiting.length === 0) return free;
    return this.#start();
  }

  /** Oldest first; those whose client got an answer already cost nothing any more. */
  #nextJob(): Job | undefined {
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) {
      if (!job.signal.aborted) return job;
      job.reject(new PoolBusy('not in time'));
    }
    return undefined;
  }

  #start(): Thread {
    const thread: Thread = { worker: new Worker(...workerProgram()), job: undefined };
    thread.worker.unref();
    this.#threads.push(thread);
    thread.worker.on('message', (answer: unknown) => {
      if (!isWorkerAnswer(answer)) return;
      const { job } = thread;
      thread.job = undefined;
      job?.resolve(answer.right);
      this.#dispatch();
    });
    thread.worker.once('error', (error) => {
      thread.job?.reject(error);
      thread.job = undefined;
    });
    thread.worker.once('exit', () => this.#onExit(thread));
    return thread;
  }

  #onExit(thread: Thread): void {
    this.#threads.splice(this.#threads.indexOf(thread), 1);
    thread.job?.reject(new PoolBusy('the thread ended'));
    if (!this.#stopped) this.#dispatch();
  }
}

/** In the bundle beside the agent; in a checkout the TypeScript source, which a thread can't load without help. */
function workerProgram(): ConstructorParameters<typeof Worker> {
  if (import.meta.url.endsWith('.mjs')) return [new URL('./hash-worker.mjs', import.meta.url)];
  const loader = import.meta.resolve('tsx/esm/api');
  const source = new URL('./agent-worker.ts', import.meta.url).href;
  const program = `import(${JSON.stringify(loader)}).then(({ register }) => { register(); return import(${JSON.stringify(source)}); });`;
  return [program, { eval: true }];
}
