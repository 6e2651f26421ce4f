/**
 * How many questions a second the codec and the server can take.
 *
 *   npx tsx src/agent/server/testing/bench.ts
 *
 * The load comes from a process of its own, so the CPU time shown is the agent's alone.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setVar } from '../../wire/action.ts';
import { ByteWriter } from '../../wire/byte-writer.ts';
import { decodeFrame } from '../../wire/decode-frame.ts';
import { appendFrame, encodeFrame } from '../../wire/encode-frame.ts';
import type { Notify } from '../../wire/frame.ts';
import { FrameReader } from '../../wire/frame-reader.ts';
import { boolValue, bytesOf, integerValue, textValue } from '../../wire/value.ts';
import type { AgentHandler } from '../handler.ts';
import { AgentServer } from '../server.ts';
import { realClock } from './clocks.ts';
import { HELLO } from './spop-client.ts';

const MAX = 16_380;
const CONNECTIONS = 20;
/** What HAProxy has on the way on one connection at most. */
const WINDOW = 20;
const WARM_MS = 1000;
const RUN_MS = 4000;

/** What external authentication would ask. */
function question(message: string, streamId: number): Notify {
  const args = [
    ['id', textValue('f0b1c2d3-0000-4000-8000-aabbccddeeff')],
    ['src', { type: 'ipv4', value: '203.0.113.17' }],
    ['method', textValue('GET')],
    ['host', textValue('shop.example.com')],
    ['path', textValue('/api/v1/orders/12345?expand=lines')],
    ['authorization', textValue(`Bearer ${'x'.repeat(120)}`)],
    ['tls', boolValue(true)],
    ['size', integerValue(1234)],
  ] as const;
  return { kind: 'notify', streamId, frameId: 1, messages: [{ name: message, args }] };
}

const answer = (args: ReadonlyMap<string, Parameters<typeof bytesOf>[0]>) => [
  setVar('txn', 'allowed', boolValue(bytesOf(args.get('method')) === 'GET')),
  setVar('txn', 'user', textValue('alice')),
];

const handlers: readonly AgentHandler[] = [
  { message: 'sync', handle: answer },
  { message: 'async', handle: (args) => Promise.resolve(answer(args)) },
];

function codec(): void {
  const notify = encodeFrame(question('sync', 4711), MAX);
  if (!notify.ok) return;
  const writer = new ByteWriter();
  const once = (): void => {
    const reader = new FrameReader(MAX);
    reader.push(notify.value);
    const step = reader.next();
    const frame = step.kind === 'frame' ? decodeFrame(step.bytes) : undefined;
    if (!frame?.ok || frame.value.kind !== 'notify') return;
    const args = new Map(frame.value.messages[0]?.args);
    appendFrame(writer, { kind: 'ack', streamId: 4711, frameId: 1, actions: answer(args) }, MAX);
    if (writer.length > 4096) writer.take();
  };
  for (let i = 0; i < 200_000; i += 1) once();
  const rounds = 500_000;
  const start = process.hrtime.bigint();
  for (let i = 0; i < rounds; i += 1) once();
  const microseconds = Number(process.hrtime.bigint() - start) / 1000 / rounds;
  show('codec: NOTIFY of 8 arguments in, ACK of 2 variables out', microseconds, rounds);
}

function show(what: string, microseconds: number, count: number): void {
  const rate = Math.round(1e6 / microseconds).toLocaleString('en');
  console.log(`${what}: ${microseconds.toFixed(2)} us CPU each, ${rate}/s per core (${count} of them)`);
}

async function serverBench(message: string, window: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ramjet-bench-'));
  const path = join(folder, 'agent.sock');
  const server = new AgentServer({ handlers, clock: realClock });
  await server.listen({ kind: 'unix', path });
  const child = fork(fileURLToPath(import.meta.url), [path, message, String(window)], {
    execArgv: process.execArgv,
  });
  await pause(WARM_MS);
  const [acks, cpu, time] = [server.stats().acks, process.cpuUsage(), performance.now()];
  await pause(RUN_MS);
  const done = server.stats().acks - acks;
  const used = process.cpuUsage(cpu);
  const rate = Math.round((done / (performance.now() - time)) * 1000).toLocaleString('en');
  const what = `server, ${message} handler, ${CONNECTIONS} connections of ${window}: ${rate}/s seen`;
  show(what, (used.user + used.system) / done, done);
  await end(child);
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill();
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The load: on each connection `window` questions are always on the way. */
function load(path: string, message: string, window: number): void {
  const hello = encodeFrame(HELLO, MAX);
  const notify = encodeFrame(question(message, 4711), MAX);
  if (!hello.ok || !notify.ok) return;
  const [greeting, asked] = [hello.value, notify.value];
  for (let i = 0; i < CONNECTIONS; i += 1) {
    const socket = connect(path, () => socket.write(greeting));
    const reader = new FrameReader(MAX);
    let greeted = false;
    socket.on('error', () => process.exit());
    socket.on('data', (chunk: Buffer) => {
      reader.push(chunk);
      let frames = 0;
      while (reader.next().kind === 'frame') frames += 1;
      socket.write(Buffer.concat(new Array<Uint8Array>(greeted ? frames : window).fill(asked)));
      greeted = true;
    });
  }
}

const [path, message, window] = process.argv.slice(2);
if (path !== undefined && message !== undefined) {
  load(path, message, Number(window));
} else {
  codec();
  for (const name of ['sync', 'async']) {
    for (const size of [1, WINDOW]) await serverBench(name, size);
  }
}
