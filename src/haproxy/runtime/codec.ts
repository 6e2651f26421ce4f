import { ArgumentError } from './arguments.ts';

/** tune.bufsize is 16,384 by default; 3.2 counts line and payload together, so stay well below. */
export const DEFAULT_COMMAND_LIMIT = 14_000;

/** HAProxy takes 64 arguments a command. */
const MAX_WORDS = 60;

export interface CommandOptions {
  readonly payload?: string;
  readonly alone?: boolean;
}

export type Acceptor = (answer: string) => boolean;

/**
 * One command. Only `command()` makes one, so every value of this type is exactly one command for
 * HAProxy. `accepts` knows every answer that means success; any other text is a failure.
 */
export class Command {
  readonly line: string;
  readonly accepts: Acceptor;
  /** Needs a connection of its own: it has a payload, or its answer may hold blank lines. */
  readonly alone: boolean;
  readonly #payload: string | undefined;

  private constructor(line: string, accepts: Acceptor, options: CommandOptions) {
    this.line = line;
    this.accepts = accepts;
    this.#payload = options.payload;
    this.alone = options.alone === true || options.payload !== undefined;
  }

  static of(line: string, accepts: Acceptor, options: CommandOptions): Command {
    return new Command(line, accepts, options);
  }

  /** What goes over the wire for this command alone. */
  wire(): string {
    if (this.#payload === undefined) return `${this.line}\n`;
    const end = terminator(this.#payload);
    return `${this.line} <<${end}\n${this.#payload}\n${end}\n`;
  }

  /** Bytes of `wire()`. */
  size(): number {
    return Buffer.byteLength(this.wire());
  }
}

/**
 * `words` must have gone through `arguments.ts`; what could still split the line is refused again
 * here, so a mistake in a caller can't become a second command.
 */
export function command(words: readonly string[], accepts: Acceptor, options: CommandOptions = {}): Command {
  if (words.length === 0 || words.length > MAX_WORDS) throw new ArgumentError('too many arguments');
  for (const word of words) {
    if (!/^(?:[^\u0000-\u0020\u007f;\\<]|\\[ ;\\<])+$/u.test(word)) throw new ArgumentError('not one safe word');
  }
  const { payload } = options;
  return Command.of(words.join(' '), accepts, payload === undefined ? options : { payload: checkPayload(payload) });
}

/** Ends of lines are the caller's; NUL would end the text inside HAProxy. */
function checkPayload(payload: string): string {
  if (payload.trim() === '') throw new ArgumentError('an empty payload');
  if (payload.includes('\0')) throw new ArgumentError('NUL in a payload');
  if (!payload.isWellFormed()) throw new ArgumentError('half of a surrogate pair');
  return payload.endsWith('\n') ? payload.slice(0, -1) : payload;
}

/** A line that is not in the payload. 3.2 takes at most 7 characters behind `<<`, 3.4 takes 64. */
export function terminator(payload: string): string {
  const lines = new Set(payload.split('\n'));
  for (let number = 0; ; number += 1) {
    const pattern = `%${number.toString(36)}%`;
    if (!lines.has(pattern)) return pattern;
  }
}

export interface Batch {
  readonly commands: readonly Command[];
  readonly text: string;
}

/**
 * Joins neighbours with `;` while they stay below `limit` bytes. A payload belongs to the last
 * command of a line and a connection reads one line only, so such a command travels alone.
 * A single command above the limit is refused: HAProxy 3.4 would not even answer it.
 */
export function batches(commands: readonly Command[], limit: number): readonly Batch[] {
  const made: Batch[] = [];
  let joined: Command[] = [];
  let size = 0;
  function flush(): void {
    if (joined.length > 0) made.push({ commands: joined, text: `${joined.map((one) => one.line).join(';')}\n` });
    joined = [];
    size = 0;
  }
  for (const one of commands) {
    const bytes = one.size();
    if (bytes > limit) throw new ArgumentError(`a command of ${String(bytes)} bytes, limit ${String(limit)}`);
    if (one.alone || size + bytes > limit) flush();
    if (one.alone) {
      made.push({ commands: [one], text: one.wire() });
      continue;
    }
    joined.push(one);
    size += bytes;
  }
  flush();
  return made;
}

/**
 * HAProxy ends each answer with one blank line and never puts one inside, so the n-th answer
 * belongs to the n-th command, whatever failed before it. One command alone owns all that came
 * (a map value read back may hold a blank line). Undefined where the blank line is missing: the
 * connection ended early, or HAProxy gave up on the whole line.
 */
export function splitAnswers(text: string, count: number): readonly (string | undefined)[] {
  if (count === 1) return [endsProperly(text) ? trimNewlines(text) : undefined];
  const answers: string[] = [];
  let lines: string[] = [];
  const parts = text.split('\n');
  parts.pop();
  for (const line of parts) {
    if (line === '') {
      answers.push(lines.join('\n'));
      lines = [];
    } else lines.push(line);
  }
  return Array.from({ length: count }, (_, index) => (answers.length > count ? undefined : answers[index]));
}

function endsProperly(text: string): boolean {
  return text === '\n' || text.endsWith('\n\n');
}

function trimNewlines(text: string): string {
  return text.replace(/\n+$/, '');
}
