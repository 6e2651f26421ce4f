import fc from 'fast-check';
import type { Action, VariableScope } from '../action.ts';
import { formatIpv4, formatIpv6 } from '../address.ts';
import type { Frame } from '../frame.ts';
import type { KeyValue } from '../key-value.ts';
import type { Message } from '../message.ts';
import type { SpopValue } from '../value.ts';
import type { SpopVersion } from '../version.ts';

/** Lengths around the one- and two-byte forms of a varint included. */
const byteString: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 8, arbitrary: fc.uint8Array({ maxLength: 24 }) },
    { weight: 1, arbitrary: fc.uint8Array({ minLength: 235, maxLength: 260 }) },
  )
  .map((value) => Buffer.from(value).toString('latin1'));

export const value: fc.Arbitrary<SpopValue> = fc.oneof(
  fc.constant<SpopValue>({ type: 'null' }),
  fc.boolean().map((flag): SpopValue => ({ type: 'bool', value: flag })),
  fc.integer().map((number): SpopValue => ({ type: 'int32', value: number })),
  fc.nat({ max: 0xffff_ffff }).map((number): SpopValue => ({ type: 'uint32', value: number })),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((number): SpopValue => ({ type: 'int64', value: number })),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((number): SpopValue => ({ type: 'uint64', value: number })),
  fc.uint8Array({ minLength: 4, maxLength: 4 }).map((address): SpopValue => ({ type: 'ipv4', value: formatIpv4(address) })),
  fc.uint8Array({ minLength: 16, maxLength: 16 }).map((address): SpopValue => ({ type: 'ipv6', value: formatIpv6(address) })),
  byteString.map((text): SpopValue => ({ type: 'string', value: text })),
  fc.uint8Array({ maxLength: 300 }).map((binary): SpopValue => ({ type: 'binary', value: Buffer.from(binary) })),
);

const identifier = fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }));

const keyValue: fc.Arbitrary<KeyValue> = fc.tuple(byteString, value);

const message: fc.Arbitrary<Message> = fc.record({
  name: byteString,
  args: fc.array(keyValue, { maxLength: 6 }),
});

const scope = fc.constantFrom<VariableScope>('proc', 'sess', 'txn', 'req', 'res');

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ type: fc.constant('set-var' as const), scope, name: byteString, value }),
  fc.record({ type: fc.constant('unset-var' as const), scope, name: byteString }),
);

const version: fc.Arbitrary<SpopVersion> = fc.record({
  major: fc.integer({ min: 1, max: 99 }),
  minor: fc.integer({ min: 0, max: 999 }),
});

const maxFrameSize = fc.nat({ max: 0xffff_ffff });
const capabilities = fc.subarray(['pipelining', 'async', 'fragmentation']);
const status = fc.nat({ max: 0xffff_ffff });

export const frame: fc.Arbitrary<Frame> = fc.oneof(
  fc.record(
    {
      kind: fc.constant('haproxy-hello' as const),
      supportedVersions: fc.array(version, { minLength: 1, maxLength: 3 }),
      maxFrameSize,
      capabilities,
      healthcheck: fc.boolean(),
      engineId: byteString,
    },
    { requiredKeys: ['kind', 'supportedVersions', 'maxFrameSize', 'capabilities', 'healthcheck'] },
  ),
  fc.record({ kind: fc.constant('agent-hello' as const), version, maxFrameSize, capabilities }),
  fc.record({
    kind: fc.constantFrom('haproxy-disconnect' as const, 'agent-disconnect' as const),
    status,
    message: byteString,
  }),
  fc.record({
    kind: fc.constant('notify' as const),
    streamId: identifier,
    frameId: identifier,
    messages: fc.array(message, { maxLength: 4 }),
  }),
  fc.record({
    kind: fc.constant('ack' as const),
    streamId: identifier,
    frameId: identifier,
    actions: fc.array(action, { maxLength: 6 }),
  }),
  fc.record({ kind: fc.constant('aborted' as const), streamId: identifier, frameId: identifier }),
);
