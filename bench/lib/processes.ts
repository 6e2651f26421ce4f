import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';

/** Kernel ticks a second; Linux has 100 on every architecture that Debian ships. */
const TICKS = 100;

function statFields(pid: number): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** A process and all that descend from it. */
export function family(root: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const parent = Number.isInteger(pid) ? Number(statFields(pid)?.[1]) : Number.NaN;
    if (!Number.isNaN(parent)) parents.set(pid, parent);
  }
  const found = new Set([root]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [pid, parent] of parents) {
      if (!found.has(parent) || found.has(pid)) continue;
      found.add(pid);
      grown = true;
    }
  }
  return [...found];
}

/** User and system seconds of the processes that `keep` takes. */
export function cpuSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = statFields(pid);
    return sum + (fields ? (Number(fields[11]) + Number(fields[12])) / TICKS : 0);
  }, 0);
}

export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/** Resident memory in bytes. */
export function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

export function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  const child = spawn(command, [...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
  child.stdout.resume();
  child.stderr.on('data', (chunk: Buffer) => {
    if (process.env['BENCH_DEBUG'] !== undefined) process.stderr.write(chunk);
  });
  return child;
}

export async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(timer);
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

export async function untilListening(port: number, milliseconds = 60_000): Promise<void> {
  const deadline = performance.now() + milliseconds;
  while (performance.now() < deadline) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`nothing listens on port ${port}`);
}
