import { fileURLToPath } from 'node:url';
import type { Io } from '../io.ts';
import { runCli } from '../program.ts';

export interface RunOptions {
  readonly stdin?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
  readonly root?: URL;
  /** Called with what sends a signal to the command. */
  readonly onListening?: (signal: () => void) => void;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const ROOT = new URL('../../../', import.meta.url);

/** One command line in this process. The environment holds PATH and HOME only, so that a test says what else counts. */
export async function ramjet(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  let stdout = '';
  let stderr = '';
  const { HOME = '', PATH = '', RAMJET_CACHE } = process.env;
  const io: Io = {
    stdout: { write: (text) => void (stdout += text) },
    stderr: { write: (text) => void (stderr += text) },
    stdin: () => Promise.resolve(options.stdin ?? ''),
    env: { HOME, PATH, ...(RAMJET_CACHE === undefined ? {} : { RAMJET_CACHE }), ...options.env },
    cwd: options.cwd ?? fileURLToPath(ROOT),
    isTTY: options.isTTY ?? false,
    root: options.root ?? ROOT,
    onSignal: (listener) => {
      options.onListening?.(() => listener('SIGINT'));
      return () => {};
    },
  };
  const code = await runCli(args, io);
  return { code, stdout, stderr };
}

/** Parsed `--output json`. */
export async function ramjetJson(args: readonly string[], options: RunOptions = {}): Promise<unknown> {
  const { stdout, stderr } = await ramjet(args, options);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}
