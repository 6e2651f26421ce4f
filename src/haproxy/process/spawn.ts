import { type ChildProcess, spawn as nodeSpawn, type SpawnOptions } from 'node:child_process';

export type Spawn = (binary: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

export const systemSpawn: Spawn = (binary, args, options) => nodeSpawn(binary, [...args], options);

/** How a process ended. `failed`: it never ran. */
export type Exit =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'failed'; readonly detail: string };

export function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      resolve({ kind: 'failed', detail: error.message });
    });
    child.once('exit', (code, signal) => {
      resolve(signal === null ? { kind: 'exited', code: code ?? -1 } : { kind: 'signalled', signal });
    });
  });
}

export function describeExit(exit: Exit): string {
  switch (exit.kind) {
    case 'exited':
      return `exit code ${String(exit.code)}`;
    case 'signalled':
      return `signal ${exit.signal}`;
    case 'failed':
      return exit.detail;
  }
}
