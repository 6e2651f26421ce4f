import { isAbsolute, join } from 'node:path';
import { type Compiled, compile } from '../../compiler/compile.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { CATALOGUE } from '../../features/catalogue.ts';
import { type Registry, registryOf } from '../../features/contract/registry.ts';
import { FEATURES } from '../../features/features.generated.ts';
import type { Snapshot } from '../../objects/snapshot.ts';
import type { EndpointSlice, Service } from '../../objects/types.ts';
import { ENDPOINTS_ANNOTATION } from '../../objects/named-endpoints.ts';
import { readSettings } from '../../settings/read.ts';
import type { Settings } from '../../settings/settings.ts';
import { SETTINGS } from '../../settings/table.ts';
import { namesIn } from '../../sources/addresses/resolver.ts';
import type { FileAccess } from '../../sources/manifests/file-access.ts';
import { nodeFileAccess } from '../../sources/manifests/node-file-access.ts';
import { readManifests } from '../../sources/manifests/read.ts';
import { type Given, type OptionSpec, UsageError } from '../command.ts';
import type { Io } from '../io.ts';
import { settingFlags, settingOption } from './serve.ts';

/** Stands for standard input where a file is named. */
const STDIN = 'stdin';

/** For documentation only, says RFC 5737: no packet ever reaches it. */
const ASSUMED_ADDRESS = '192.0.2.1';

const COMPILE_FLAGS = [
  'ingress-class',
  'controller-class',
  'watch-ingress-without-class',
  'default-backend-service',
  'default-ssl-certificate',
  'public-https-port',
];

/** Options of every command that compiles manifests. */
export const INPUT_OPTIONS: readonly OptionSpec[] = [
  {
    long: 'assume-endpoints',
    negatable: true,
    default: 'true',
    summary: `A Service whose endpoints are not in the files counts as having one, ${ASSUMED_ADDRESS}; names are not looked up and count as this address.`,
  },
  ...SETTINGS.filter((spec) => COMPILE_FLAGS.includes(spec.flag)).map(settingOption),
];

export interface Input {
  readonly settings: Settings;
  readonly snapshot: Snapshot;
  readonly compiled: Compiled;
  /** Files that could not be read at all; among the diagnostics too. */
  readonly unreadable: readonly Diagnostic[];
}

export function registry(): Registry {
  return registryOf(FEATURES, CATALOGUE);
}

/** Reads and compiles files, folders and, for `-`, standard input. */
export async function readInput(paths: readonly string[], given: Given, io: Io): Promise<Input> {
  const read = readSettings(settingFlags(given), io.env);
  if (!read.ok) throw new UsageError(read.problems.join('\n'));
  const files = filesIn(io.cwd);
  const named = paths.filter((path) => path !== '-');
  for (const path of named) {
    if (files.stat(path) === undefined) throw new UsageError(`${path} does not exist or can not be opened`);
  }
  const texts = named.length === paths.length ? [] : [{ file: STDIN, text: await io.stdin() }];
  const snapshot = readManifests({ paths: named, texts, files });
  const complete = given.options['assume-endpoints'] === false ? snapshot : withAssumedEndpoints(snapshot);
  const compiled = compile(complete, read.settings.compile, registry());
  return { settings: read.settings, snapshot, compiled, unreadable: snapshot.diagnostics.filter(isUnreadable) };
}

/** A document that can't be parsed has a line; a file that can't be read has none. */
function isUnreadable({ code, origin }: Diagnostic): boolean {
  return code === 'UnreadableDocument' && origin.line === undefined;
}

/** Paths stay as they were given, so that they are printed that way. */
function filesIn(cwd: string): FileAccess {
  const at = (path: string) => (isAbsolute(path) ? path : join(cwd, path));
  return {
    ...nodeFileAccess,
    list: (directory) => nodeFileAccess.list(at(directory)),
    stat: (path) => nodeFileAccess.stat(at(path)),
    read: (path, maxBytes) => nodeFileAccess.read(at(path), maxBytes),
  };
}

/** Manifests name no pods: without an assumption every Service in them would answer 503. */
function withAssumedEndpoints(snapshot: Snapshot): Snapshot {
  const slices = new Map(snapshot.endpointSlices);
  for (const [key, service] of snapshot.services) {
    if (slices.has(key) || service.type === 'ExternalName' || service.metadata.annotations[ENDPOINTS_ANNOTATION] !== undefined) continue;
    slices.set(key, [assumedSlice(service)]);
  }
  const addresses = new Map([...namesIn(snapshot)].map((name) => [name, [ASSUMED_ADDRESS]]));
  return { ...snapshot, endpointSlices: slices, addresses };
}

function assumedSlice(service: Service): EndpointSlice {
  const ports = service.ports.map(({ name = '', port, targetPort, protocol }) => ({
    name,
    port: typeof targetPort === 'number' ? targetPort : port,
    protocol,
  }));
  const endpoints = [{ addresses: [ASSUMED_ADDRESS], ready: true, serving: true, terminating: false }];
  return { kind: 'EndpointSlice', metadata: service.metadata, service: service.metadata.name, addressType: 'IPv4', ports, endpoints };
}
