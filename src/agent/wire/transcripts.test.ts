import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { setVar, unsetVar } from './action.ts';
import { decodeFrame } from './decode-frame.ts';
import { encodeFrame } from './encode-frame.ts';
import type { Frame } from './frame.ts';
import { FrameReader } from './frame-reader.ts';
import { bytes, fromHex, hex } from './testing/bytes.ts';
import { FALSE_VALUE, integerValue, NULL_VALUE, TRUE_VALUE, textValue } from './value.ts';

/*
 * What real HAProxies said, written down by `src/agent/server/testing/capture-transcripts.ts`, whose configuration
 * asks for the values expected here.
 */

const FOLDER = new URL('./fixtures/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.hex'));
const SERIES = ['3.2', '3.4'];

function stream(file: string, from: '>' | '<'): Uint8Array {
  const lines = readFileSync(new URL(file, FOLDER), 'utf8').split('\n');
  return bytes(...lines.filter((line) => line.startsWith(from)).map((line) => fromHex(line.slice(2))));
}

function split(whole: Uint8Array): readonly Uint8Array[] {
  const reader = new FrameReader(16_380);
  reader.push(whole);
  const frames: Uint8Array[] = [];
  for (let step = reader.next(); step.kind !== 'incomplete'; step = reader.next()) {
    if (step.kind === 'fault') throw new Error(step.error.detail);
    frames.push(step.bytes);
  }
  expect(reader.idle).toBe(true);
  return frames;
}

function frames(file: string, from: '>' | '<'): readonly Frame[] {
  return split(stream(file, from)).map((form) => {
    const frame = decodeFrame(form);
    if (!frame.ok) throw new Error(frame.error.detail);
    return frame.value;
  });
}

const HELLO = {
  kind: 'haproxy-hello',
  supportedVersions: [{ major: 2, minor: 0 }],
  maxFrameSize: 16_380,
  capabilities: ['pipelining'],
  healthcheck: false,
};
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function types(method: string, path: string) {
  return {
    name: 'types',
    args: [
      ['text', { type: 'string', value: 'caf\u00e9' }],
      ['empty', textValue('')],
      ['number', integerValue(300)],
      ['negative', integerValue(-5)],
      ['yes', TRUE_VALUE],
      ['no', FALSE_VALUE],
      ['v4', { type: 'ipv4', value: '192.0.2.7' }],
      ['v6', { type: 'ipv6', value: '2001:db8::1' }],
      ['bytes', { type: 'binary', value: Buffer.of(0, 0xff, 0x10) }],
      ['absent', NULL_VALUE],
      ['method', textValue(method)],
      ['path', textValue(path)],
      ['', integerValue(1)],
    ],
  };
}

describe.each(SERIES)('what HAProxy %s says', (series) => {
  it('in a health check', () => {
    const file = `haproxy-${series}-check.hex`;
    expect(frames(file, '>')).toEqual([{ ...HELLO, capabilities: [], healthcheck: true }]);
    expect(frames(file, '<')).toMatchObject([{ kind: 'agent-hello', maxFrameSize: 16_380 }]);
  });

  it('when it asks', () => {
    const [hello, ...questions] = frames(`haproxy-${series}-notify.hex`, '>');
    expect(hello).toEqual({ ...HELLO, engineId: expect.stringMatching(UUID) });
    const bare = { name: 'bare', args: [] };
    expect(questions).toEqual([
      { kind: 'notify', streamId: 1, frameId: 1, messages: [types('GET', '/a%20path'), bare] },
      { kind: 'notify', streamId: 3, frameId: 1, messages: [types('PURGE', `/${'x'.repeat(300)}`), bare] },
    ]);
  });

  it('and takes as answers', () => {
    const actions = [
      setVar('txn', 'seen', textValue('yes')),
      setVar('sess', 'count', integerValue(-1)),
      setVar('req', 'flag', TRUE_VALUE),
      unsetVar('res', 'old'),
    ];
    expect(frames(`haproxy-${series}-notify.hex`, '<')).toEqual([
      {
        kind: 'agent-hello',
        version: { major: 2, minor: 0 },
        maxFrameSize: 16_380,
        capabilities: ['pipelining'],
      },
      { kind: 'ack', streamId: 1, frameId: 1, actions },
      { kind: 'ack', streamId: 3, frameId: 1, actions },
    ]);
  });

  it('when it refuses an agent', () => {
    const said = frames(`haproxy-${series}-refused.hex`, '>');
    expect(said).toMatchObject([{ kind: 'haproxy-hello' }, { kind: 'haproxy-disconnect', status: 8, message: 'unsupported version' }]);
  });
});

describe.each(FILES)('%s', (file) => {
  it('has the very bytes that this codec writes', () => {
    for (const from of ['>', '<'] as const) {
      const written = frames(file, from).map((frame) => {
        const result = encodeFrame(frame, 16_380);
        return result.ok ? result.value : new Uint8Array();
      });
      expect(hex(bytes(...written))).toBe(hex(stream(file, from)));
    }
  });
});
