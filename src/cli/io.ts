import { text } from 'node:stream/consumers';

export interface Sink {
  write(text: string): void;
}

/** What a command may touch of the process it runs in. Passed in, so that tests run commands in their own process. */
export interface Io {
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** All of standard input. */
  stdin(): Promise<string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly cwd: string;
  /** Whether a person reads standard output. */
  readonly isTTY: boolean;
  /** Folder of the package: of the checkout, or where Ramjet is installed. */
  readonly root: URL;
  /** Calls back for SIGINT and SIGTERM until the answer is called. */
  onSignal(listener: (signal: 'SIGINT' | 'SIGTERM') => void): () => void;
}

export function processIo(root: URL): Io {
  return {
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    stdin: () => text(process.stdin),
    env: process.env,
    cwd: process.cwd(),
    isTTY: process.stdout.isTTY === true,
    root,
    onSignal: (listener) => {
      process.on('SIGINT', listener);
      process.on('SIGTERM', listener);
      return () => {
        process.off('SIGINT', listener);
        process.off('SIGTERM', listener);
      };
    },
  };
}

/** A reader that has seen enough (`ramjet keys | head`) ends the process without a word, as it ends other programs. */
function sinkOf(stream: NodeJS.WriteStream): Sink {
  stream.on('error', (error) => {
    if ('code' in error && error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  return { write: (chunk) => void stream.write(chunk) };
}
