import { describe, expect, it } from 'vitest';
import { setVar } from '../wire/action.ts';
import type { Notify } from '../wire/frame.ts';
import { textValue } from '../wire/value.ts';
import { handler, Manual, run } from './testing/fixture.ts';

function questions(count: number, name = 'manual'): readonly Notify[] {
  return Array.from({ length: count }, (_, index) => ({
    kind: 'notify',
    streamId: index + 1,
    frameId: 1,
    messages: [{ name, args: [] }],
  }));
}

describe('bounds', () => {
  it('hold for one connection, whose other questions wait', async () => {
    const manual = new Manual();
    const { client, server, until } = await run([manual], { maxInFlightPerConnection: 3 });
    const peer = await client();
    peer.send(...questions(10));
    await until((stats) => stats.pauses === 1);
    expect(manual.asked).toBe(3);
    manual.answer(1);
    await until((stats) => stats.acks === 1);
    expect(manual.asked).toBe(4);
    expect(server.stats().inFlight).toBe(3);
    for (let index = 0; index < 10; index += 1) {
      manual.answer(index);
      await until(() => manual.asked > Math.min(index + 1, 9));
    }
    await until((stats) => stats.acks === 10 && stats.inFlight === 0);
  });

  it('hold over all connections, which take turns', async () => {
    const manual = new Manual();
    const { client, server, until } = await run([manual], { maxInFlight: 2 });
    const first = await client();
    const second = await client();
    first.send(...questions(4));
    await until((stats) => stats.inFlight === 2);
    second.send(...questions(2));
    await until((stats) => stats.pauses === 2);
    expect(manual.asked).toBe(2);
    for (let index = 0; index < 6; index += 1) {
      manual.answer(index);
      await until((stats) => stats.acks === index + 1);
      expect(server.stats().inFlight).toBe(Math.min(2, 5 - index));
    }
    await second.ack(2);
    await first.ack(4);
  });

  it('do not keep a health check out', async () => {
    const manual = new Manual();
    const { client, until } = await run([manual], { maxInFlight: 1 });
    (await client()).send(...questions(2));
    await until((stats) => stats.pauses === 1);
    await (await client({ healthcheck: true })).closed;
  });

  it('give back the places of a connection that goes away', async () => {
    const manual = new Manual();
    const { client, server, until } = await run([manual, handler('ok', () => [])], { maxInFlight: 2 });
    const lost = await client();
    const waiting = await client();
    lost.send(...questions(3));
    await until((stats) => stats.inFlight === 2);
    const answer = waiting.ask('ok');
    lost.socket.destroy();
    await answer;
    expect(manual.signals.map((signal) => signal.aborted)).toEqual([true, true]);
    expect(server.stats()).toMatchObject({ inFlight: 0, abandoned: 2 });
    manual.answer(0);
    manual.answer(1);
    await until((stats) => stats.abandoned === 0);
    expect(server.stats().acks).toBe(1);
  });

  it('hold for a peer that asks but does not read', async () => {
    const big = [setVar('txn', 'v', textValue('x'.repeat(15_000)))];
    const { client, server, until } = await run([handler('big', () => big)]);
    const peer = await client();
    peer.socket.pause();
    peer.send(...questions(2000, 'big'));
    await until((stats) => stats.pauses === 1);
    // Kernel buffers take some; without the bound all 30 MB would lie in this process.
    expect(server.stats().acks).toBeLessThan(500);
    peer.socket.resume();
    await until((stats) => stats.acks === 2000);
    await peer.ack(2000);
  });

  it('survive garbage on many connections', async () => {
    const { client, server, until } = await run([handler('ok', () => [])]);
    let seed = 7;
    const noise = (): Buffer => {
      const bytes = Buffer.alloc(200);
      for (let i = 0; i < bytes.length; i += 1) {
        seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
        bytes[i] = seed >> 16;
      }
      // A plausible length, so that the frame itself is looked at.
      bytes.writeUInt32BE(100 + (seed % 96));
      bytes.writeUInt32BE(1, 5);
      bytes[4] = [1, 2, 3, 101, 102, 103][seed % 6] ?? 3;
      return bytes;
    };
    for (let round = 0; round < 100; round += 1) {
      const peer = await client();
      peer.socket.write(noise());
      await peer.closed;
    }
    await until((stats) => stats.connections === 0);
    expect(server.stats().inFlight).toBe(0);
    await (await client()).ask('ok');
  });
});
