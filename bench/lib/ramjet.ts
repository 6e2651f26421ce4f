import { fileURLToPath } from 'node:url';
import { freePort, start, stop } from './processes.ts';

export interface RunningRamjet {
  readonly pid: number;
  readonly port: number;
  readonly httpsPort: number;
  readonly adminPort: number;
  /** From the start of the process to readiness, in milliseconds. */
  readonly readyAfter: number;
  stop(): Promise<void>;
}

const BIN = fileURLToPath(new URL('../../bin/ramjet.mjs', import.meta.url));

/** The program as a user starts it. */
export async function startRamjet(
  _directory: string,
  manifests: string,
  options: { readonly version?: '3.2' | '3.4' } = {},
): Promise<RunningRamjet> {
  const { haproxyBinary } = await import('../../src/testing/haproxy-binary.ts');
  const [port, httpsPort, adminPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const began = performance.now();
  const child = start(process.execPath, [
    BIN,
    'serve',
    manifests,
    ...['--http', `127.0.0.1:${port}`, '--https', `127.0.0.1:${httpsPort}`, '--admin', `127.0.0.1:${adminPort}`],
    ...['--haproxy', haproxyBinary(options.version ?? '3.4'), '--drain', '1s', '--log-level', 'warn'],
  ]);
  await untilReady(adminPort, () => child.exitCode);
  return { pid: child.pid ?? 0, port, httpsPort, adminPort, readyAfter: performance.now() - began, stop: () => stop(child) };
}

async function untilReady(port: number, exitCode: () => number | null): Promise<void> {
  for (let attempt = 0; attempt < 12_000; attempt += 1) {
    if (exitCode() !== null) throw new Error(`ramjet ended with ${exitCode()}`);
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('ramjet did not become ready');
}
