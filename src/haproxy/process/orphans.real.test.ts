import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { haproxyBinary } from '../../testing/haproxy-binary.ts';
import type { HaproxyVersion } from '../feature.ts';
import type { StartReport } from './options.ts';
import { systemProcTable } from './proc-table.ts';
import { type Fixture, makeFixture, VERSIONS } from './testing/fixture.ts';
import { request, until } from './testing/load.ts';

const KEEPER = fileURLToPath(new URL('./testing/keeper.ts', import.meta.url));
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

describe.each(VERSIONS)('a keeper of HAProxy %s that is killed', (version) => {
  const fixtures: Fixture[] = [];
  const keepers: ChildProcess[] = [];
  afterEach(async () => {
    for (const keeper of keepers.splice(0)) keeper.kill('SIGKILL');
    for (const fixture of fixtures.splice(0)) {
      // Whatever a test left behind ends with the next start and stop in its directory.
      await fixture.process.start();
      await fixture.close();
    }
  });
  async function keep(): Promise<{ fixture: Fixture; keeper: ChildProcess; pids: StartReport }> {
    const fixture = await makeFixture(version);
    fixtures.push(fixture);
    const { keeper, pids } = await startKeeper(version, fixture);
    keepers.push(keeper);
    return { fixture, keeper, pids };
  }

  it('takes HAProxy along, by the watchdog', async () => {
    const { fixture, keeper, pids } = await keep();
    expect(await request(fixture.port, '/map')).toMatchObject({ status: 200 });
    keeper.kill('SIGKILL');
    await until('HAProxy is gone', () => !systemProcTable.alive(pids.masterPid) && !systemProcTable.alive(pids.workerPid), 2_000);
    await until('the watchdog too', () => watchdogs(fixture).length === 0);
  });

  it('leaves a master to the next start if the watchdog was killed as well', async () => {
    const { fixture, keeper, pids } = await keep();
    // The keeper would start another watchdog, so it is stopped first, and killed as it is.
    keeper.kill('SIGSTOP');
    for (const pid of watchdogs(fixture)) process.kill(pid, 'SIGKILL');
    keeper.kill('SIGKILL');
    await until('the keeper is gone', () => !systemProcTable.alive(keeper.pid ?? 0));
    expect(await request(fixture.port, '/map')).toMatchObject({ status: 200 });
    const started = await fixture.process.start();
    expect(started).toMatchObject({ ok: true });
    expect(systemProcTable.alive(pids.masterPid) || systemProcTable.alive(pids.workerPid)).toBe(false);
    expect(await request(fixture.port, '/map')).toMatchObject({ pid: String(started.ok && started.value.workerPid) });
  });

  it('does not harm a process whose number stands in a stale pid file', async () => {
    const fixture = await makeFixture(version);
    fixtures.push(fixture);
    const bystander = spawn('sleep', ['30'], { stdio: 'ignore' });
    mkdirSync(join(fixture.dir, 'run'), { recursive: true });
    writeFileSync(join(fixture.dir, 'run', 'haproxy.pid'), `${String(bystander.pid)}\n`);
    expect(await fixture.process.start()).toMatchObject({ ok: true });
    expect(systemProcTable.alive(bystander.pid ?? 0)).toBe(true);
    bystander.kill('SIGKILL');
  });

  it('a watchdog that is killed is started again, and guards', async () => {
    const { fixture, keeper, pids } = await keep();
    const [first] = watchdogs(fixture);
    process.kill(first ?? 0, 'SIGKILL');
    await until('another watchdog', () => watchdogs(fixture).some((pid) => pid !== first));
    keeper.kill('SIGKILL');
    await until('HAProxy is gone', () => !systemProcTable.alive(pids.masterPid) && !systemProcTable.alive(pids.workerPid), 2_000);
  });
});

async function startKeeper(version: HaproxyVersion, fixture: Fixture): Promise<{ keeper: ChildProcess; pids: StartReport }> {
  const args = ['--import', TSX, KEEPER, haproxyBinary(version), fixture.configFile, join(fixture.dir, 'run')];
  const keeper = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    keeper.stdout?.once('data', (data: Buffer) => resolve(data.toString()));
    keeper.once('exit', (code) => reject(new Error(`the keeper ended: ${String(code)}`)));
  });
  const report: unknown = JSON.parse(line);
  const value = typeof report === 'object' && report !== null && 'value' in report ? report.value : undefined;
  if (typeof value !== 'object' || value === null || !('masterPid' in value) || !('workerPid' in value)) throw new Error(line);
  return { keeper, pids: { masterPid: Number(value.masterPid), workerPid: Number(value.workerPid) } };
}

function watchdogs(fixture: Fixture): readonly number[] {
  const socket = join(fixture.dir, 'run', 'master.sock');
  return systemProcTable.pids().filter((pid) => {
    const argv = systemProcTable.argv(pid);
    return argv.includes('ramjet-watchdog') && argv.includes(socket) && systemProcTable.alive(pid);
  });
}
