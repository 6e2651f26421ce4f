import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFrame } from './decode-frame.ts';
import { encodeFrame } from './encode-frame.ts';
import { statusOf } from './errors.ts';
import { FrameReader } from './frame-reader.ts';
import { frame as anyFrame } from './testing/arbitraries.ts';
import { bytes, hex } from './testing/bytes.ts';

const MAX = 65_536;
const RUNS = { numRuns: 5000 };

/** A frame decoded either gives a value that has bytes again, or a fault that has a status. */
function probe(form: Uint8Array): void {
  const result = decodeFrame(form);
  if (!result.ok) {
    expect(statusOf(result.error.code)).toBeGreaterThan(0);
    return;
  }
  const again = encodeFrame(result.value, 4 * MAX);
  expect(again.ok).toBe(true);
  if (!again.ok) return;
  expect(decodeFrame(again.value.subarray(4))).toEqual(result);
}

describe('any bytes', () => {
  it('decode without an exception and without an end', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 600 }), probe), RUNS);
  });

  it('decode behind the head of each frame', () => {
    const types = fc.constantFrom(1, 2, 3, 101, 102, 103);
    const ids = fc.constantFrom(bytes(0, 0), bytes(1, 1), bytes(0xf0, 0x80, 0x01, 3));
    fc.assert(
      fc.property(types, ids, fc.uint8Array({ maxLength: 300 }), (type, identifiers, rest) => {
        probe(bytes(type, 0, 0, 0, 1, identifiers, rest));
      }),
      RUNS,
    );
  });

  it('decode when they are a frame with some bytes changed or cut', () => {
    const change = fc.tuple(fc.nat(), fc.nat({ max: 255 }));
    fc.assert(
      fc.property(anyFrame, fc.array(change, { maxLength: 4 }), fc.nat(), (frame, changes, cut) => {
        const whole = encodeFrame(frame, MAX);
        if (!whole.ok) return;
        const form = Uint8Array.from(whole.value.subarray(4));
        for (const [place, byte] of changes) form[place % form.length] = byte;
        probe(cut % 4 === 0 ? form.subarray(0, cut % form.length) : form);
      }),
      RUNS,
    );
  });

  it('leave no more frames than they have room for', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 }), (chunks) => {
        const reader = new FrameReader(300);
        const total = bytes(...chunks).length;
        let frames = 0;
        for (const chunk of chunks) {
          reader.push(chunk);
          while (reader.next().kind === 'frame') frames += 1;
        }
        expect(frames * 11).toBeLessThanOrEqual(total);
      }),
      RUNS,
    );
  });

  it('decode in time that grows no faster than their number', () => {
    // The frames with the most values for their size: nulls under empty names, and empty messages.
    const nulls = bytes(1, 0, 0, 0, 1, 0, 0, new Uint8Array(2 * MAX));
    const messages = bytes(3, 0, 0, 0, 1, 1, 1, new Uint8Array(2 * MAX));
    for (const form of [nulls, messages]) {
      const before = process.hrtime.bigint();
      decodeFrame(form);
      expect(Number(process.hrtime.bigint() - before) / 1e6, hex(form.subarray(0, 8))).toBeLessThan(500);
    }
  });
});
