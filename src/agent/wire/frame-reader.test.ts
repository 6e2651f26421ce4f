import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrame } from './encode-frame.ts';
import { FrameReader } from './frame-reader.ts';
import { frame as anyFrame } from './testing/arbitraries.ts';
import { bytes, framed, hex } from './testing/bytes.ts';

const MAX = 100_000;
const FIN = bytes(0, 0, 0, 1);

function take(reader: FrameReader): string[] {
  const frames: string[] = [];
  for (let step = reader.next(); step.kind !== 'incomplete'; step = reader.next()) {
    if (step.kind === 'fault') return [...frames, step.error.code];
    frames.push(hex(step.bytes));
  }
  return frames;
}

function readAll(chunks: readonly Uint8Array[], max = MAX): string[] {
  const reader = new FrameReader(max);
  const frames: string[] = [];
  for (const chunk of chunks) {
    reader.push(chunk);
    frames.push(...take(reader));
  }
  return frames;
}

const stream: fc.Arbitrary<readonly Uint8Array[]> = fc.array(
  anyFrame.map((frame) => {
    const result = encodeFrame(frame, MAX);
    return result.ok ? result.value : framed(3, FIN, 1, 1);
  }),
  { maxLength: 6 },
);

describe('frame reader', () => {
  it('finds the same frames wherever the stream is cut in two', () => {
    fc.assert(
      fc.property(stream, (frames) => {
        const whole = bytes(...frames);
        const expected = frames.map((frame) => hex(frame.subarray(4)));
        for (let cut = 0; cut <= whole.length; cut += 1) {
          expect(readAll([whole.subarray(0, cut), whole.subarray(cut)])).toEqual(expected);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('finds the same frames in chunks of any sizes', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1 }), (frames, sizes) => {
        const whole = bytes(...frames);
        const chunks: Uint8Array[] = [];
        let start = 0;
        for (const size of sizes) {
          chunks.push(whole.subarray(start, start + size));
          start += size;
        }
        chunks.push(whole.subarray(start));
        expect(readAll(chunks)).toEqual(frames.map((frame) => hex(frame.subarray(4))));
      }),
    );
  });

  it('finds the same frames when they are asked for only at the end', () => {
    const frames = [framed(3, FIN, 1, 1), framed(3, FIN, 2, 1), framed(3, FIN, 3, 1)];
    const reader = new FrameReader(MAX);
    for (const byte of bytes(...frames)) reader.push(Uint8Array.of(byte));
    expect(reader.idle).toBe(false);
    expect(take(reader)).toEqual(frames.map((frame) => hex(frame.subarray(4))));
    expect(reader.idle).toBe(true);
  });

  it('copies a frame only when it is spread over chunks', () => {
    const chunk = framed(3, FIN, 1, 1);
    const reader = new FrameReader(MAX);
    reader.push(chunk);
    const step = reader.next();
    expect(step.kind === 'frame' && step.bytes.buffer === chunk.buffer).toBe(true);
  });

  it('knows when it holds part of a frame', () => {
    const frame = framed(3, FIN, 1, 1);
    for (let cut = 1; cut < frame.length; cut += 1) {
      const reader = new FrameReader(MAX);
      reader.push(frame.subarray(0, cut));
      expect(reader.next().kind).toBe('incomplete');
      expect(reader.idle).toBe(false);
      reader.push(frame.subarray(cut));
      expect(reader.next().kind).toBe('frame');
      expect(reader.idle).toBe(true);
    }
  });

  it('takes a frame of just the allowed size and refuses one byte more, before it has arrived', () => {
    const body = bytes(3, FIN, 1, 1, 'x'.repeat(249));
    expect(readAll([framed(body)], 256)).toEqual([hex(body)]);
    expect(readAll([bytes(0, 0, 1, 1)], 256)).toEqual(['frame-too-big']);
    expect(readAll([bytes(0xff, 0xff, 0xff, 0xff)])).toEqual(['frame-too-big']);
  });

  it('refuses frames too short to be one, and an endless run of zeros', () => {
    expect(readAll([bytes(0, 0, 0, 6, 'abcdef')])).toEqual(['frame-too-short']);
    expect(readAll([new Uint8Array(1_000_000)])).toEqual(['frame-too-short']);
  });

  it('stays at its first fault', () => {
    const reader = new FrameReader(256);
    reader.push(bytes(0, 0, 9, 9));
    expect(reader.next()).toMatchObject({ kind: 'fault', error: { code: 'frame-too-big' } });
    reader.push(framed(3, FIN, 1, 1));
    expect(reader.next()).toMatchObject({ kind: 'fault', error: { code: 'frame-too-big' } });
  });

  it('applies a new limit from the next frame on', () => {
    const reader = new FrameReader(1000);
    reader.limit(256);
    reader.push(bytes(0, 0, 1, 1));
    expect(reader.next()).toMatchObject({ kind: 'fault', error: { code: 'frame-too-big' } });
  });
});
