import { pathToFileURL } from 'node:url';
import { selfSigned } from '../../testing/self-signed.ts';
import type { HaproxyVersion } from '../feature.ts';
import { type Fixture, startFixture, VERSIONS } from '../process/testing/fixture.ts';
import { addBackendCommand, deleteBackendCommand, publishBackendCommand, unpublishBackendCommand } from './backend-commands.ts';
import { systemClock } from './clock.ts';
import type { Command } from './codec.ts';
import { setMapEntryCommand } from './map-commands.ts';
import { firstFailure } from './result.ts';
import { addServerCommands, deleteServerCommand, maintainForRemovalCommand, setServerAddressCommand } from './server-commands.ts';

/** Rates of the Runtime API through our client: `npx tsx src/haproxy/runtime/runtime.bench.ts`. */
async function measure(version: HaproxyVersion): Promise<void> {
  const haproxy = await startFixture(version);
  await measureMaps(version, haproxy);
  await measureServers(version, haproxy);
  if (version === '3.4') await measureBackends(version, haproxy);
  await measureCertificates(version, haproxy);
  await measureReloads(version, haproxy);
  await haproxy.close();
}

async function measureMaps(version: HaproxyVersion, haproxy: Fixture): Promise<void> {
  const { client, commands, map } = haproxy;
  const entries = Array.from({ length: 10_000 }, (_, index) => ({
    key: `h${String(index)}.example/path/`,
    value: `be|r${String(index)}|`,
  }));
  await time(`${version} map replaced`, entries.length, 'entries', () => commands.replaceMap(map, entries));
  await time(`${version} map replaced again`, entries.length, 'entries', () => commands.replaceMap(map, entries));
  const sets = entries.slice(0, 5_000).map(({ key }) => setMapEntryCommand(map, key, 'x'));
  await time(`${version} set map, batched`, sets.length, 'commands', () => run(haproxy, sets));
  await time(`${version} set map, one connection each`, 1_000, 'commands', async () => {
    for (const one of sets.slice(0, 1_000)) await client.run([one]);
  });
}

const NAMES = Array.from({ length: 2_000 }, (_, index) => `s${String(index)}`);

async function measureServers(version: HaproxyVersion, haproxy: Fixture): Promise<void> {
  const { commands } = haproxy;
  const spec = (name: string) => ({ backend: 'empty', name, address: '127.0.0.1', port: 81, options: ['weight', '10'] });
  await time(`${version} servers added, batched`, NAMES.length, 'servers', () =>
    run(
      haproxy,
      NAMES.flatMap((name) => addServerCommands(spec(name))),
    ),
  );
  await time(`${version} server addresses, batched`, NAMES.length, 'servers', () =>
    run(
      haproxy,
      NAMES.map((name) => setServerAddressCommand('empty', name, '127.0.0.2', 82)),
    ),
  );
  await time(`${version} servers removed, batched`, NAMES.length, 'servers', () =>
    run(
      haproxy,
      NAMES.flatMap((name) => [maintainForRemovalCommand('empty', name), deleteServerCommand('empty', name)]),
    ),
  );
  await time(`${version} servers added one by one`, 500, 'servers', async () => {
    for (const name of NAMES.slice(0, 500)) await commands.addServer('empty', name, '127.0.0.1', 81, []);
  });
  await time(`${version} servers removed one by one`, 500, 'servers', async () => {
    for (const name of NAMES.slice(0, 500)) await commands.removeServer('empty', name, 1_000);
  });
}

async function measureBackends(version: HaproxyVersion, haproxy: Fixture): Promise<void> {
  await time(`${version} backends added and published, batched`, NAMES.length, 'backends', () =>
    run(
      haproxy,
      NAMES.flatMap((name) => [addBackendCommand(name, 'd'), publishBackendCommand(name)]),
    ),
  );
  await time(`${version} backends removed, batched`, NAMES.length, 'backends', () =>
    run(
      haproxy,
      NAMES.flatMap((name) => [unpublishBackendCommand(name), deleteBackendCommand(name)]),
    ),
  );
}

async function measureCertificates(version: HaproxyVersion, haproxy: Fixture): Promise<void> {
  const { commands } = haproxy;
  const pem = selfSigned('a.example');
  await time(`${version} certificates with their line`, 300, 'certificates', async () => {
    for (let index = 0; index < 300; index += 1) {
      const certificate = `virt/c${String(index)}.pem`;
      await commands.upsertCertificate(certificate, pem);
      await commands.addCrtListLine(haproxy.crtList, { certificate, options: [], names: [`c${String(index)}.example`] });
    }
  });
}

async function measureReloads(version: HaproxyVersion, haproxy: Fixture): Promise<void> {
  const reloads: number[] = [];
  for (let index = 0; index < 10; index += 1) {
    const reloaded = await haproxy.process.reload('measure');
    if (reloaded.ok) reloads.push(Math.round(reloaded.value.milliseconds));
  }
  process.stdout.write(`${version} reload, command to new worker: ${reloads.toSorted((a, b) => a - b).join(' ')} ms\n`);
}

async function run(haproxy: Fixture, commands: readonly Command[]): Promise<void> {
  const failed = firstFailure(await haproxy.client.run(commands));
  if (failed !== undefined) throw new Error(`${failed.error.command}: ${failed.error.answer}`);
}

async function time(what: string, count: number, unit: string, work: () => Promise<unknown>): Promise<void> {
  const began = systemClock.now();
  await work();
  const milliseconds = systemClock.now() - began;
  process.stdout.write(
    `${what}: ${milliseconds.toFixed(0)} ms, ${Math.round((count / milliseconds) * 1_000).toLocaleString('en')} ${unit}/s\n`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) for (const version of VERSIONS) await measure(version);
