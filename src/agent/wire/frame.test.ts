import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { setVar, unsetVar } from './action.ts';
import { ByteWriter } from './byte-writer.ts';
import { decodeFrame } from './decode-frame.ts';
import { appendFrame, encodeFrame } from './encode-frame.ts';
import type { SpopErrorCode } from './errors.ts';
import type { Ack, Frame } from './frame.ts';
import { frame as anyFrame } from './testing/arbitraries.ts';
import { bytes, framed, hex, short } from './testing/bytes.ts';
import { TRUE_VALUE } from './value.ts';

const FIN = bytes(0, 0, 0, 1);
const ZERO_IDS = bytes(0, 0);
const ANY_SIZE = 0xffff_ffff;

/** Each frame beside the bytes that SPOE.txt 3.2 gives it. */
const FORMS: readonly (readonly [string, Frame, Uint8Array])[] = [
  [
    'HAPROXY-HELLO',
    {
      kind: 'haproxy-hello',
      supportedVersions: [{ major: 2, minor: 0 }],
      maxFrameSize: 16_380,
      capabilities: ['pipelining'],
      healthcheck: false,
      engineId: 'engine',
    },
    framed(
      ...[1, FIN, ZERO_IDS, short('supported-versions'), 8, short('2.0')],
      ...[short('max-frame-size'), 3, 0xfc, 0xf0, 0x06],
      ...[short('capabilities'), 8, short('pipelining'), short('engine-id'), 8, short('engine')],
    ),
  ],
  [
    'HAPROXY-HELLO of a health check',
    {
      kind: 'haproxy-hello',
      supportedVersions: [
        { major: 2, minor: 0 },
        { major: 1, minor: 5 },
      ],
      maxFrameSize: 256,
      capabilities: [],
      healthcheck: true,
    },
    framed(
      ...[1, FIN, ZERO_IDS, short('supported-versions'), 8, short('2.0,1.5')],
      ...[short('max-frame-size'), 3, 0xf0, 1, short('capabilities'), 8, short('')],
      ...[short('healthcheck'), 0x11],
    ),
  ],
  [
    'AGENT-HELLO',
    { kind: 'agent-hello', version: { major: 2, minor: 0 }, maxFrameSize: 256, capabilities: ['pipelining'] },
    framed(
      ...[101, FIN, ZERO_IDS, short('version'), 8, short('2.0')],
      ...[short('max-frame-size'), 3, 0xf0, 1, short('capabilities'), 8, short('pipelining')],
    ),
  ],
  [
    'HAPROXY-DISCONNECT',
    { kind: 'haproxy-disconnect', status: 0, message: 'normal' },
    framed(2, FIN, ZERO_IDS, short('status-code'), 3, 0, short('message'), 8, short('normal')),
  ],
  [
    'AGENT-DISCONNECT',
    { kind: 'agent-disconnect', status: 99, message: 'why' },
    framed(102, FIN, ZERO_IDS, short('status-code'), 3, 99, short('message'), 8, short('why')),
  ],
  [
    'NOTIFY',
    {
      kind: 'notify',
      streamId: 1,
      frameId: 240,
      messages: [
        {
          name: 'auth',
          args: [
            ['ip', { type: 'ipv4', value: '127.0.0.1' }],
            ['', { type: 'null' }],
          ],
        },
        { name: 'mirror', args: [] },
      ],
    },
    framed(...[3, FIN, 1, 0xf0, 0, short('auth'), 2, short('ip'), 6, 127, 0, 0, 1, short(''), 0], ...[short('mirror'), 0]),
  ],
  [
    'ACK',
    {
      kind: 'ack',
      streamId: 1,
      frameId: 1,
      actions: [setVar('txn', 'ok', TRUE_VALUE), unsetVar('res', 'x')],
    },
    framed(103, FIN, 1, 1, 1, 3, 2, short('ok'), 0x11, 2, 2, 4, short('x')),
  ],
  ['an empty ACK', { kind: 'ack', streamId: 1, frameId: 1, actions: [] }, framed(103, FIN, 1, 1)],
  ['an aborted frame', { kind: 'aborted', streamId: 5, frameId: 2 }, framed(3, 0, 0, 0, 3, 5, 2)],
];

const BAD: readonly (readonly [string, SpopErrorCode, Uint8Array])[] = [
  ['nothing', 'frame-too-short', bytes()],
  ['six bytes', 'frame-too-short', bytes(3, FIN, 1)],
  ['no FIN flag', 'fragmented', bytes(3, 0, 0, 0, 0, 1, 1)],
  ['no frame type we know', 'unknown-frame-type', bytes(4, FIN, 1, 1)],
  ['identifiers beyond 53 bits', 'varint-overflow', bytes(3, FIN, 0xff, '\xff'.repeat(8), 1, 1)],
  ['a NOTIFY of stream 0', 'bad-identifier', bytes(3, FIN, 0, 1)],
  ['a NOTIFY of frame 0', 'bad-identifier', bytes(3, FIN, 1, 0)],
  ['an ACK of stream 0', 'bad-identifier', bytes(103, FIN, 0, 1)],
  ['a HELLO of a stream', 'bad-identifier', bytes(1, FIN, 1, 0)],
  ['a message with fewer arguments than it says', 'truncated', bytes(3, FIN, 1, 1, short('m'), 2, short('a'), 0)],
  ['a message name that runs out', 'truncated', bytes(3, FIN, 1, 1, 200, 'm')],
  ['a message without arguments count', 'truncated', bytes(3, FIN, 1, 1, short('m'))],
  ['a reserved data type', 'unknown-data-type', bytes(3, FIN, 1, 1, short('m'), 1, short('a'), 0x0a)],
  ['an unknown action', 'unknown-action', bytes(103, FIN, 1, 1, 3, 3, 2, short('x'))],
  ['a set-var of two arguments', 'bad-argument-count', bytes(103, FIN, 1, 1, 1, 2, 2, short('x'), 0)],
  ['an unset-var of three arguments', 'bad-argument-count', bytes(103, FIN, 1, 1, 2, 3, 2, short('x'))],
  ['an unknown scope', 'unknown-scope', bytes(103, FIN, 1, 1, 2, 2, 5, short('x'))],
  ['a HELLO without anything', 'missing-version', bytes(1, FIN, ZERO_IDS)],
  [
    'a HELLO without size',
    'missing-max-frame-size',
    bytes(1, FIN, ZERO_IDS, short('supported-versions'), 8, short('2.0'), short('capabilities'), 8, 0),
  ],
  [
    'a HELLO without capabilities',
    'missing-capabilities',
    bytes(1, FIN, ZERO_IDS, short('supported-versions'), 8, short('2.0'), short('max-frame-size'), 3, 200),
  ],
  ['a HELLO whose version is a number', 'bad-item-type', bytes(1, FIN, ZERO_IDS, short('supported-versions'), 3, 2)],
  [
    'a HELLO whose version is a word',
    'bad-item-type',
    bytes(...[101, FIN, ZERO_IDS, short('version'), 8, short('two')], ...[short('max-frame-size'), 3, 200, short('capabilities'), 8, 0]),
  ],
  ['a HELLO whose size is text', 'bad-item-type', sized(8, short('1'))],
  ['a HELLO whose size is negative', 'bad-item-type', sized(4, 0xff, 0xf0, '\xfe'.repeat(7), 0x0e)],
  ['a DISCONNECT without status', 'missing-status', bytes(2, FIN, ZERO_IDS)],
  ['a DISCONNECT whose status is text', 'bad-item-type', bytes(2, FIN, ZERO_IDS, short('status-code'), 8, short('0'))],
];

function sized(...size: readonly (number | string | Uint8Array)[]): Uint8Array {
  return bytes(101, FIN, ZERO_IDS, short('version'), 8, short('2.0'), short('max-frame-size'), ...size);
}

function encoded(frame: Frame): Uint8Array {
  const result = encodeFrame(frame, ANY_SIZE);
  if (!result.ok) throw new Error(result.error.detail);
  return result.value;
}

describe('frames', () => {
  it.each(FORMS)('writes and reads %s', (_, frame, form) => {
    expect(hex(encoded(frame))).toBe(hex(form));
    expect(decodeFrame(form.subarray(4))).toEqual({ ok: true, value: frame });
  });

  it('gives back every frame', () => {
    fc.assert(
      fc.property(anyFrame, (frame) => {
        const form = encoded(frame);
        expect(Buffer.from(form).readUInt32BE()).toBe(form.length - 4);
        expect(decodeFrame(form.subarray(4))).toEqual({ ok: true, value: frame });
      }),
    );
  });

  it.each(BAD)('refuses %s as %s', (_, code, form) => {
    expect(decodeFrame(form)).toMatchObject({ ok: false, error: { code } });
  });

  it('reads what the specification lets a peer send but HAProxy does not', () => {
    const form = bytes(
      ...[1, 0xff, 0xff, 0xff, 0xfd, ZERO_IDS, short('supported-versions'), 8, short(' 2.0 , 1.5 ')],
      ...[short('max-frame-size'), 4, 0xf0, 1, short('capabilities'), 8, short('async, pipelining ,')],
      ...[short('later'), 0, short('healthcheck'), 1],
    );
    expect(decodeFrame(form)).toMatchObject({
      ok: true,
      value: {
        supportedVersions: [
          { major: 2, minor: 0 },
          { major: 1, minor: 5 },
        ],
        maxFrameSize: 256,
        capabilities: ['async', 'pipelining'],
        healthcheck: false,
      },
    });
  });

  it('never exceeds the size it is given, and leaves nothing of a frame that would', () => {
    fc.assert(
      fc.property(anyFrame, fc.nat({ max: 400 }), (frame, size) => {
        const length = encoded(frame).length - 4;
        const writer = new ByteWriter();
        writer.bytes(bytes('before'));
        const error = appendFrame(writer, frame, size);
        expect(error?.code).toBe(length > size ? 'frame-too-big' : undefined);
        expect(writer.length).toBe(6 + (length > size ? 0 : 4 + length));
        expect(appendFrame(writer, { kind: 'ack', streamId: 1, frameId: 1, actions: [] }, 7)).toBeUndefined();
      }),
    );
  });

  it('leaves nothing of a frame with a value that its type cannot hold', () => {
    const bad: Ack = {
      kind: 'ack',
      streamId: 1,
      frameId: 1,
      actions: [setVar('txn', 'a', { type: 'string', value: '€' })],
    };
    const writer = new ByteWriter();
    expect(appendFrame(writer, bad, ANY_SIZE)?.code).toBe('value-out-of-range');
    expect(writer.length).toBe(0);
    const args = Array.from({ length: 256 }, () => ['', { type: 'null' }] as const);
    expect(encodeFrame({ kind: 'notify', streamId: 1, frameId: 1, messages: [{ name: 'm', args }] }, ANY_SIZE)).toMatchObject({
      ok: false,
      error: { code: 'value-out-of-range' },
    });
  });
});
