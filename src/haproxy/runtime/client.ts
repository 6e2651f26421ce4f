import { ArgumentError } from './arguments.ts';
import { type Clock, systemClock } from './clock.ts';
import { type Batch, batches, type Command, DEFAULT_COMMAND_LIMIT, splitAnswers } from './codec.ts';
import { exchange } from './exchange.ts';
import { createLimit } from './limit.ts';
import { failure, type Reply, success } from './result.ts';

export interface RuntimeClientOptions {
  readonly socketPath: string;
  readonly timeoutMs?: number;
  /** Bytes of one command line or payload; below the `tune.bufsize` of the configuration. */
  readonly commandLimit?: number;
  readonly clock?: Clock;
}

/** Runs commands in order and answers for each of them, failed or not. */
export type Run = (commands: readonly Command[]) => Promise<readonly Reply[]>;

export interface RuntimeClient {
  readonly commandLimit: number;
  /** In the queue: one batch at a time. */
  readonly run: Run;
  /** Holds the queue while `use` runs: a TLS transaction is one global state inside HAProxy. */
  exclusive<T>(use: (run: Run) => Promise<T>): Promise<T>;
  /** On a connection of its own beside the queue, a few at once, for `wait`, which may take seconds. */
  aside(command: Command, timeoutMs: number): Promise<Reply>;
}

/** Of the 10 that HAProxy serves at once (`stats maxconn`), so others get through: the queue, metrics, people. */
const ASIDE_CONNECTIONS = 4;

interface Settings {
  readonly socketPath: string;
  readonly timeoutMs: number;
  readonly commandLimit: number;
  readonly clock: Clock;
}

export function createRuntimeClient(options: RuntimeClientOptions): RuntimeClient {
  const settings: Settings = {
    socketPath: options.socketPath,
    timeoutMs: options.timeoutMs ?? 5_000,
    commandLimit: options.commandLimit ?? DEFAULT_COMMAND_LIMIT,
    clock: options.clock ?? systemClock,
  };
  let tail: Promise<unknown> = Promise.resolve();
  function queued<T>(work: () => Promise<T>): Promise<T> {
    const turn = tail.then(work);
    // The next one starts whether this one failed or not; its own caller sees the failure.
    tail = turn.catch(() => undefined);
    return turn;
  }
  const limit = createLimit(ASIDE_CONNECTIONS);
  const direct: Run = (commands) => runBatches(settings, commands);
  return {
    commandLimit: settings.commandLimit,
    run: (commands) => queued(() => direct(commands)),
    exclusive: (use) => queued(() => use(direct)),
    aside: (command, timeoutMs) =>
      limit(async () => {
        const [reply] = await runBatches({ ...settings, timeoutMs }, [command]);
        return reply ?? failure('protocol', command.line, '');
      }),
  };
}

async function runBatches(settings: Settings, commands: readonly Command[]): Promise<readonly Reply[]> {
  let planned: readonly Batch[];
  try {
    planned = batches(commands, settings.commandLimit);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    return commands.map((one) => failure('argument', one.line, error.refusal));
  }
  const replies: Reply[] = [];
  for (const batch of planned) replies.push(...(await runBatch(settings, batch)));
  return replies;
}

async function runBatch(settings: Settings, batch: Batch): Promise<readonly Reply[]> {
  const { socketPath, timeoutMs, clock } = settings;
  const outcome = await exchange({ socketPath, text: batch.text, timeoutMs, clock, halfClose: false });
  switch (outcome.kind) {
    case 'answered':
      return attribute(batch, outcome.text);
    case 'unreachable':
      return batch.commands.map((one) => failure('connect', one.line, outcome.detail));
    case 'timeout':
      return batch.commands.map((one) => failure('timeout', one.line, outcome.text));
    case 'broken':
      return batch.commands.map((one) => failure('protocol', one.line, outcome.detail));
  }
}

function attribute(batch: Batch, text: string): readonly Reply[] {
  const answers = splitAnswers(text, batch.commands.length);
  return batch.commands.map((one, index) => {
    const answer = answers[index];
    if (answer === undefined) return incomplete(one, text);
    return one.accepts(answer) ? success(answer) : failure('refused', one.line, answer);
  });
}

/** A line that is too big is answered without the blank line, and then none of its commands ran. */
function incomplete(one: Command, text: string): Reply {
  return failure(/is too big/.test(text) ? 'refused' : 'protocol', one.line, text.trim());
}
