import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { readSettings } from '../../settings/read.ts';
import type { Settings } from '../../settings/settings.ts';
import { environmentName, type SettingSpec, SETTINGS } from '../../settings/table.ts';
import { type Command, type Given, type OptionSpec, UsageError } from '../command.ts';
import type { Io } from '../io.ts';
import { requireHaproxy } from './haproxy.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'Serve a folder of manifests until told to stop.',
  description: [
    'Changes of the files are served as they are written. SIGINT and SIGTERM let open requests end; a second one ends at once.',
    'Each option can also be set by the environment variable RAMJET_ and its name in capitals, as RAMJET_TRUSTED_PROXIES.',
  ].join('\n'),
  examples: [
    { says: 'Serve what is in a folder', line: 'ramjet serve manifests/' },
    { says: 'On other addresses', line: 'ramjet serve --http :80 --https :443 manifests/' },
  ],
  arguments: [{ name: 'PATHS', many: true, optional: true, completes: 'files' }],
  options: SETTINGS.map(settingOption),
  exits: { 1: 'It could not start.', 2: 'A setting can not be used.' },
  run,
};

export function settingOption(spec: SettingSpec): OptionSpec {
  const base = { long: spec.flag, summary: spec.summary, default: spec.default };
  if (spec.value === '') return { ...base, negatable: true };
  const files = spec.value === 'PATH' || spec.value === 'PATHS';
  return {
    ...base,
    value: spec.value,
    completes: spec.flag === 'log-level' ? ['debug', 'info', 'warn', 'error'] : files ? 'files' : 'nothing',
  };
}

export function settingFlags(given: Given): Readonly<Record<string, string>> {
  const texts = SETTINGS.flatMap(({ flag }): readonly (readonly [string, string])[] => {
    const value = given.options[flag];
    return typeof value === 'string' || typeof value === 'boolean' ? [[flag, String(value)]] : [];
  });
  return Object.fromEntries(texts);
}

async function run(given: Given, io: Io): Promise<number> {
  const settings = settingsOf(given, io);
  const haproxy = await requireHaproxy(settings.haproxy, io);
  const busy = await unusableAddress(settings);
  if (busy !== undefined) throw new Error(busy);
  // Loaded only now: no other command needs the daemon's parts.
  const { startDaemon } = await import('../../compose.ts');
  const stopping = stopSignal(io);
  const daemon = await startDaemon(settings, haproxy);
  if (!daemon.controller.state.ready) {
    await daemon.stop();
    throw new Error('HAProxy could not be started; the log above says why.');
  }
  await stopping;
  await daemon.stop();
  return 0;
}

function settingsOf(given: Given, io: Io): Settings {
  const read = readSettings(settingFlags(given), io.env);
  if (!read.ok) throw new UsageError(read.problems.join('\n'));
  const manifests = [...read.settings.manifests, ...given.arguments];
  if (manifests.length === 0) throw new UsageError(`no manifests: name files or folders, or set ${environmentName('manifests')}`);
  if (manifests.includes('-'))
    throw new UsageError('serve reads files and folders that can change; for standard input there are check, translate and route');
  return { ...read.settings, manifests: manifests.map((path) => resolve(io.cwd, path)) };
}

/** Settles at the first SIGINT or SIGTERM. The second one finds no listener and ends the process, as it does by default. */
function stopSignal(io: Io): Promise<void> {
  return new Promise((done) => {
    const off = io.onSignal(() => {
      off();
      done();
    });
  });
}

/** HAProxy shares ports with others of its kind, so an address in use is found out before it is started. */
async function unusableAddress({ plan, admin }: Settings): Promise<string | undefined> {
  const wanted = [
    ...plan.listeners.http.map((address) => ({ flag: 'http', address })),
    ...plan.listeners.https.map((address) => ({ flag: 'https', address })),
    { flag: 'admin', address: admin },
  ];
  for (const { flag, address } of wanted) {
    const code = await listenError(address);
    if (code === undefined) continue;
    const why =
      code === 'EADDRINUSE'
        ? 'is already in use'
        : code === 'EACCES'
          ? 'needs more rights than this user has'
          : `can not be listened on (${code})`;
    return `The address ${address} ${why}; choose another with --${flag}.`;
  }
  return undefined;
}

function listenError(address: string): Promise<string | undefined> {
  const colon = address.lastIndexOf(':');
  const host = address.slice(0, colon).replaceAll(/[[\]]/g, '');
  return new Promise((done) => {
    const server = createServer();
    server.once('error', (error) => done('code' in error ? String(error.code) : error.message));
    server.listen({ host: host === '' ? '0.0.0.0' : host, port: Number(address.slice(colon + 1)), exclusive: true }, () =>
      server.close(() => done(undefined)),
    );
  });
}
