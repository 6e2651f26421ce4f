import type { ByteReader } from './byte-reader.ts';
import type { SpopErrorCode } from './errors.ts';
import type { KeyValue } from './key-value.ts';
import { booleanOf, bytesOf, integerOf, type SpopValue, TRUE_VALUE } from './value.ts';
import { formatVersion, parseVersion, type SpopVersion } from './version.ts';

/** Fewer bytes than this may not be negotiated (SPOE.txt 3.2). */
export const MIN_FRAME_SIZE = 256;

/** The one capability that SPOP 2.0 still has (SPOE.txt 3.2.1): ACKs may come in any order. */
export const PIPELINING = 'pipelining';

/** The first frame on a connection (SPOE.txt 3.2.4). Unknown items are ignored. */
export interface HaproxyHello {
  readonly kind: 'haproxy-hello';
  readonly supportedVersions: readonly SpopVersion[];
  /** Bytes after the length prefix, as everywhere. */
  readonly maxFrameSize: number;
  readonly capabilities: readonly string[];
  /** True when this connection is a health check of `option spop-check`. */
  readonly healthcheck: boolean;
  /** One for each engine of a worker process; absent in health checks. */
  readonly engineId?: string;
}

/** The answer that ends the handshake (SPOE.txt 3.2.5). */
export interface AgentHello {
  readonly kind: 'agent-hello';
  readonly version: SpopVersion;
  /** 256 to what HAProxy announced. */
  readonly maxFrameSize: number;
  readonly capabilities: readonly string[];
}

const KEY = {
  supportedVersions: 'supported-versions',
  version: 'version',
  maxFrameSize: 'max-frame-size',
  capabilities: 'capabilities',
  healthcheck: 'healthcheck',
  engineId: 'engine-id',
} as const;

/** Faults, besides `bad-item-type`: `missing-version`, `missing-max-frame-size`, `missing-capabilities`. */
export function haproxyHello(reader: ByteReader, items: readonly KeyValue[]): HaproxyHello {
  const map = new Map(items);
  const versions = text(reader, map, KEY.supportedVersions, 'missing-version');
  const maxFrameSize = size(reader, map);
  const capabilities = text(reader, map, KEY.capabilities, 'missing-capabilities');
  const engineId = bytesOf(map.get(KEY.engineId));
  return {
    kind: 'haproxy-hello',
    supportedVersions: words(versions).map((word) => version(reader, word)),
    maxFrameSize,
    capabilities: words(capabilities),
    healthcheck: booleanOf(map.get(KEY.healthcheck)) ?? false,
    ...(engineId === undefined ? {} : { engineId }),
  };
}

/** Faults as for `haproxyHello`. */
export function agentHello(reader: ByteReader, items: readonly KeyValue[]): AgentHello {
  const map = new Map(items);
  const announced = text(reader, map, KEY.version, 'missing-version');
  const maxFrameSize = size(reader, map);
  const capabilities = words(text(reader, map, KEY.capabilities, 'missing-capabilities'));
  return { kind: 'agent-hello', version: version(reader, announced), maxFrameSize, capabilities };
}

export function haproxyHelloItems(hello: HaproxyHello): readonly KeyValue[] {
  const items: KeyValue[] = [
    [KEY.supportedVersions, string(hello.supportedVersions.map(formatVersion).join(','))],
    [KEY.maxFrameSize, { type: 'uint32', value: hello.maxFrameSize }],
    [KEY.capabilities, string(hello.capabilities.join(','))],
  ];
  if (hello.engineId !== undefined) items.push([KEY.engineId, string(hello.engineId)]);
  if (hello.healthcheck) items.push([KEY.healthcheck, TRUE_VALUE]);
  return items;
}

export function agentHelloItems(hello: AgentHello): readonly KeyValue[] {
  return [
    [KEY.version, string(formatVersion(hello.version))],
    [KEY.maxFrameSize, { type: 'uint32', value: hello.maxFrameSize }],
    [KEY.capabilities, string(hello.capabilities.join(','))],
  ];
}

function string(value: string): SpopValue {
  return { type: 'string', value };
}

function text(reader: ByteReader, items: ReadonlyMap<string, SpopValue>, key: string, missing: SpopErrorCode): string {
  const value = items.get(key);
  if (value === undefined) reader.fail(missing, `the item ${key} is missing`);
  else if (value.type !== 'string') reader.fail('bad-item-type', `the item ${key} is not a string`);
  return bytesOf(value) ?? '';
}

function size(reader: ByteReader, items: ReadonlyMap<string, SpopValue>): number {
  const value = items.get(KEY.maxFrameSize);
  const number = integerOf(value);
  if (value === undefined) reader.fail('missing-max-frame-size', `the item ${KEY.maxFrameSize} is missing`);
  else if (number === undefined || number < 0) {
    reader.fail('bad-item-type', `the item ${KEY.maxFrameSize} is not an unsigned integer`);
  }
  return number ?? 0;
}

function version(reader: ByteReader, word: string): SpopVersion {
  const parsed = parseVersion(word);
  if (parsed === undefined) reader.fail('bad-item-type', 'a version is not written Major.Minor');
  return parsed ?? { major: 0, minor: 0 };
}

/** A comma-separated list, spaces ignored. */
function words(list: string): readonly string[] {
  return list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
