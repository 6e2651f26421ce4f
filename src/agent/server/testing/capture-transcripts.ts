/**
 * Writes `src/agent/wire/fixtures/*.hex`: what real HAProxies say on a SPOP connection.
 *
 *   npx tsx src/agent/server/testing/capture-transcripts.ts
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setVar, unsetVar } from '../../wire/action.ts';
import { encodeFrame } from '../../wire/encode-frame.ts';
import type { AgentHello } from '../../wire/hello.ts';
import { boolValue, integerValue, textValue } from '../../wire/value.ts';
import type { AgentHandler } from '../handler.ts';
import { AgentServer } from '../server.ts';
import { realClock } from './clocks.ts';
import { haproxyBinary, SERIES, sleep, startHaproxy } from './haproxy.ts';
import { Recorder, type Transcript } from './recorder.ts';

const FIXTURES = fileURLToPath(new URL('../../wire/fixtures/', import.meta.url));

const SPOE = `[ramjet]
spoe-agent ramjet
    groups both
    option var-prefix ramjet
    option set-on-error err
    timeout processing 500ms
    use-backend agent

spoe-message types
    args text=str(caf\\xe9) empty=str() number=int(300) negative=int(-5) yes=bool(true) no=bool(false)
    args v4=str(192.0.2.7),ipmask(32) v6=str(2001:db8::1),ipmask(32,128) bytes=bin(00ff10) absent=req.hdr(absent)
    args method=method path=path int(1)

spoe-message bare

spoe-group both
    messages types bare
`;

function config(agentSocket: string, check: string): string {
  return `global
    stats socket {folder}/admin.sock level admin
defaults
    mode http
    timeout connect 1s
    timeout client 5s
    timeout server 5s
frontend front
    bind unix@{folder}/front.sock
    filter spoe engine ramjet config {folder}/spoe.conf
    http-request send-spoe-group ramjet both
    http-request return status 200 hdr seen "%[var(txn.ramjet.seen)]" hdr err "%[var(txn.ramjet.err)]"
backend agent
    mode spop
    option spop-check
    server agent unix@${agentSocket} ${check}
`;
}

const types: AgentHandler = {
  message: 'types',
  handle: () => [
    setVar('txn', 'seen', textValue('yes')),
    setVar('sess', 'count', integerValue(-1)),
    setVar('req', 'flag', boolValue(true)),
    unsetVar('res', 'old'),
  ],
};

function write(name: string, version: string, what: string, transcript: Transcript | undefined): void {
  if (transcript === undefined) throw new Error(`no transcript for ${name}`);
  const lines = transcript.lines.map(({ from, bytes }) => `${from} ${bytes.toString('hex')}`);
  const head = [`# ${what}`, `# ${version}`, '# > HAProxy, < agent; one line for each chunk.'];
  writeFileSync(join(FIXTURES, name), `${[...head, ...lines].join('\n')}\n`);
}

/** A health check, and a connection with a question that ends when HAProxy stops. */
async function captureGood(series: (typeof SERIES)[number], version: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ramjet-capture-'));
  const server = new AgentServer({ handlers: [types], clock: realClock });
  await server.listen({ kind: 'unix', path: join(folder, 'agent.sock') });
  const recorder = await Recorder.listen(join(folder, 'relay.sock'), join(folder, 'agent.sock'));
  const haproxy = await startHaproxy(haproxyBinary(series), config(join(folder, 'relay.sock'), 'check inter 200ms'), SPOE);
  await sleep(500);
  console.log(series, (await haproxy.get('/a%20path?q')).headers);
  await haproxy.get(`/${'x'.repeat(300)}`, { method: 'PURGE' });
  haproxy.softStop();
  await sleep(1000);
  const { transcripts } = recorder;
  write(`haproxy-${series}-check.hex`, version, 'A health check of option spop-check', transcripts[0]);
  const asked = transcripts.find(({ lines }) => lines.length > 3);
  write(`haproxy-${series}-notify.hex`, version, 'Handshake, two questions, soft stop of HAProxy', asked);
  await haproxy.stop();
  recorder.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** How HAProxy takes its leave of an agent that answers with a version it does not speak. */
async function captureRefused(series: (typeof SERIES)[number], version: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ramjet-capture-'));
  const hello: AgentHello = {
    kind: 'agent-hello',
    version: { major: 9, minor: 0 },
    maxFrameSize: 4096,
    capabilities: [],
  };
  const answer = encodeFrame(hello, 4096);
  const wrong = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(answer.ok ? answer.value : ''));
  });
  await new Promise<void>((resolve) => wrong.listen(join(folder, 'agent.sock'), resolve));
  const recorder = await Recorder.listen(join(folder, 'relay.sock'), join(folder, 'agent.sock'));
  const haproxy = await startHaproxy(haproxyBinary(series), config(join(folder, 'relay.sock'), ''), SPOE);
  console.log(series, 'refused', (await haproxy.get('/')).headers);
  await sleep(300);
  write(`haproxy-${series}-refused.hex`, version, 'An agent that answers with version 9.0', recorder.transcripts[0]);
  await haproxy.stop();
  recorder.close();
  wrong.close();
  rmSync(folder, { recursive: true, force: true });
}

for (const series of SERIES) {
  const version = execFileSync(haproxyBinary(series), ['-v'], { encoding: 'utf8' }).split('\n')[0] ?? '';
  await captureGood(series, version);
  await captureRefused(series, version);
}
