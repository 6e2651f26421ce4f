import { spawn } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AgentProcess, type AgentProcessEvent, type AgentProcessTimes } from './process.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'ramjet-agent-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function start(runDir: string, options: { readonly script?: string; readonly times?: Partial<AgentProcessTimes> } = {}) {
  const events: AgentProcessEvent[] = [];
  const command = options.script === undefined ? {} : { command: { file: process.execPath, args: ['-e', options.script, '--'] } };
  const agent = await AgentProcess.start({
    runDir,
    ...command,
    report: (event) => events.push(event),
    ...(options.times ? { times: options.times } : {}),
  });
  onTestFinished(() => agent.stop());
  const until = async (condition: () => boolean) => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  return { agent, events, until };
}

/** Answers like an agent, without its work. */
const HONEST = `process.on('message', ({ type, id }) => process.send({ type: 'done', id })); process.send({ type: 'started' });`;
const DEAF = `process.on('message', () => {}); process.send({ type: 'started' });`;

test('the real agent: starts, loads, refuses what it cannot read, stops', async () => {
  const runDir = await folder();
  const { agent, events } = await start(runDir);
  const socket = await stat(join(runDir, 'agent.sock'));
  expect(socket.isSocket()).toBe(true);
  expect(socket.mode & 0o777).toBe(0o600);
  await agent.load();
  await writeFile(join(runDir, 'agent.json'), '{"basic-auth":{"l":[]}}');
  await expect(agent.load()).rejects.toThrow('basic-auth');
  await writeFile(join(runDir, 'agent.json'), '{"basic-auth":{"l":[["a","{PLAIN}b"]]}}');
  await Promise.all([agent.load(), agent.load(), agent.load()]);
  expect(agent.healthy).toBe(true);
  await agent.stop();
  await expect(stat(join(runDir, 'agent.sock'))).rejects.toThrow('ENOENT');
  expect(events.map((event) => event.kind)).toEqual(['started']);
});

test('starts again when it was killed; what waits for a load is answered by the new process', async () => {
  const { agent, events, until } = await start(await folder(), { script: HONEST, times: { pause: 20 } });
  const { pid } = agent;
  if (pid === undefined) throw new Error('no process');
  process.kill(pid, 'SIGKILL');
  await until(() => !agent.healthy);
  await agent.load();
  expect(agent.pid).not.toBe(pid);
  expect(events.map((event) => event.kind)).toEqual(['started', 'ended', 'started']);
});

test('pauses longer and longer for an agent that ends at once', async () => {
  const events: AgentProcessEvent[] = [];
  const command = { file: process.execPath, args: ['-e', 'process.stderr.write("no luck\\n"); process.exit(3)', '--'] };
  const starting = AgentProcess.start({
    runDir: '/nowhere',
    command,
    report: (event) => events.push(event),
    times: { start: 1_500, pause: 10, longestPause: 40 },
  });
  await expect(starting).rejects.toThrow('did not answer within 1500 ms');
  const ended = events.flatMap((event) => (event.kind === 'ended' ? [event] : []));
  expect(ended.slice(0, 4).map((event) => event.restartIn)).toEqual([10, 20, 40, 40]);
  expect(ended[0]?.reason).toBe('exit status 3');
  expect(events).toContainEqual({ kind: 'line', text: 'no luck' });
});

test('ends an agent that does not answer any more', async () => {
  const { agent, events, until } = await start(await folder(), { script: DEAF, times: { ping: 20, silence: 400, pause: 10, load: 100 } });
  await expect(agent.load()).rejects.toThrow('did not answer');
  await until(() => events.some((event) => event.kind === 'ended' && event.reason === 'SIGKILL'));
});

test('a program that does not exist is an error, not an end', async () => {
  const starting = AgentProcess.start({ runDir: '/nowhere', command: { file: '/nowhere/agent', args: [] }, times: { start: 200 } });
  await expect(starting).rejects.toThrow('did not answer');
});

test('the agent ends with its parent', async () => {
  const runDir = await folder();
  const program = `import { AgentProcess } from './src/agent/process.ts'; const agent = await AgentProcess.start({ runDir: ${JSON.stringify(runDir)} }); console.log(agent.pid);`;
  const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (chunk) => resolve(Number(String(chunk)))));
  expect(isRunning(pid)).toBe(true);
  parent.kill('SIGKILL');
  while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
