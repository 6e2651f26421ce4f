import { describe, expect, it } from 'vitest';
import { setVar } from '../wire/action.ts';
import { bytesOf, TRUE_VALUE, textValue } from '../wire/value.ts';
import type { AgentArgs } from './handler.ts';
import { AgentServer } from './server.ts';
import { FakeClock } from './testing/clocks.ts';
import { handler, Manual, run } from './testing/fixture.ts';

const OK = setVar('txn', 'ok', TRUE_VALUE);
const FAILED = setVar('txn', 'failed', TRUE_VALUE);

function hello(args: AgentArgs) {
  return [setVar('txn', 'greeting', textValue(`hello ${bytesOf(args.get('name'))}`))];
}

describe('questions', () => {
  it('go to the handler of their name, with their arguments', async () => {
    const { client, server } = await run([handler('hello', hello), handler('other', () => [])]);
    const peer = await client();
    const ack = await peer.ask('hello', [['name', textValue('world')]]);
    expect(ack.actions).toEqual([setVar('txn', 'greeting', textValue('hello world'))]);
    expect((await peer.ask('other')).actions).toEqual([]);
    expect(server.stats()).toMatchObject({
      notifies: 2,
      acks: 2,
      inFlight: 0,
      framesReceived: 3,
      framesSent: 3,
    });
    expect(server.stats().messages).toMatchObject({ hello: { answered: 1 }, other: { answered: 1 } });
  });

  it('are told the engine and the deadline', async () => {
    const seen: unknown[] = [];
    const note = handler('note', (_, { deadline, engineId }) => {
      seen.push([deadline, engineId]);
      return [];
    });
    const { client, clock } = await run([note], { deadlineMs: 200 });
    await (await client()).ask('note');
    expect(seen).toEqual([[clock.now() + 200, 'engine-1']]);
  });

  it('are answered in any order, each with its own identifiers', async () => {
    const manual = new Manual();
    const { client, until } = await run([manual]);
    const peer = await client();
    const ids = [1, 2, 3].map(() => peer.notify({ name: 'manual', args: [] }));
    await until(() => manual.asked === 3);
    for (const index of [2, 0, 1]) {
      manual.answer(index, [setVar('txn', `v${index}`, TRUE_VALUE)]);
      expect((await peer.ack(ids[index] ?? 0)).actions).toEqual([setVar('txn', `v${index}`, TRUE_VALUE)]);
    }
  });

  it('of one frame are answered together, in the order of the messages', async () => {
    const manual = new Manual();
    const { client, until } = await run([manual, handler('ok', () => [OK])]);
    const peer = await client();
    const id = peer.notify({ name: 'manual', args: [] }, { name: 'nobody', args: [] }, { name: 'ok', args: [] });
    await until((stats) => stats.inFlight === 1);
    expect(peer.received).toHaveLength(1);
    manual.answer(0, [FAILED]);
    expect((await peer.ack(id)).actions).toEqual([FAILED, OK]);
  });

  it('that nobody handles get an empty answer', async () => {
    const { client, server } = await run([]);
    const peer = await client();
    expect((await peer.ask('nobody')).actions).toEqual([]);
    expect((await peer.ack(peer.notify())).actions).toEqual([]);
    expect(server.stats()).toMatchObject({ unknownMessages: 1, acks: 2 });
  });

  it('that are aborted get none', async () => {
    const { client, server } = await run([handler('ok', () => [OK])]);
    const peer = await client();
    peer.send({ kind: 'aborted', streamId: 7, frameId: 1 });
    await peer.ask('ok');
    expect(server.stats()).toMatchObject({ acks: 1, notifies: 1 });
  });

  it('are skipped with an unknown frame type, and counted', async () => {
    const { client, server } = await run([handler('ok', () => [OK])]);
    const peer = await client();
    peer.socket.write(Buffer.from('00000007' + '63' + '00000001' + '0101', 'hex'));
    expect((await peer.ask('ok')).actions).toEqual([OK]);
    expect(server.stats().protocolErrors).toEqual({ 'unknown-frame-type': 1 });
  });
});

describe('a handler that fails', () => {
  const broken = new Error('broken');

  it.each([
    ['rejects', () => Promise.reject(broken)],
    [
      'throws',
      () => {
        throw broken;
      },
    ],
  ] as const)('and %s sets the variable and keeps the connection', async (_, handle) => {
    const { client, server, events } = await run([handler('bad', handle), handler('ok', () => [OK])]);
    const peer = await client();
    expect((await peer.ask('bad')).actions).toEqual([FAILED]);
    expect((await peer.ask('ok')).actions).toEqual([OK]);
    expect(events).toEqual([{ kind: 'handler-failed', message: 'bad', error: broken }]);
    expect(server.stats().messages['bad']).toEqual({ answered: 0, failed: 1, timedOut: 0 });
  });

  it('answers what it says it answers then', async () => {
    const own = [setVar('req', 'auth_failed', TRUE_VALUE)];
    const { client } = await run([handler('bad', () => Promise.reject(broken), { onFailure: own })]);
    expect((await (await client()).ask('bad')).actions).toEqual(own);
  });

  it.each([
    ['too big', textValue('x'.repeat(300)), 'frame-too-big'],
    ['out of range', { type: 'int32', value: 2 ** 40 }, 'value-out-of-range'],
  ] as const)('by actions that are %s counts as failed', async (_, value, code) => {
    const { client, events, server } = await run([handler('bad', () => [setVar('txn', 'v', value)])]);
    const peer = await client({ maxFrameSize: 256 });
    expect((await peer.ask('bad')).actions).toEqual([FAILED]);
    expect(events).toMatchObject([{ kind: 'ack-refused', messages: ['bad'], error: { code } }]);
    expect(server.stats().refusedAcks).toBe(1);
  });

  it('even in its failure still gets an ACK out', async () => {
    const big = [setVar('txn', 'v', textValue('x'.repeat(300)))];
    const { client } = await run([handler('bad', () => big, { onFailure: big })]);
    expect((await (await client({ maxFrameSize: 256 })).ask('bad')).actions).toEqual([]);
  });

  it('is refused when its name is taken', () => {
    const twice = [handler('a', () => []), handler('a', () => [])];
    expect(() => new AgentServer({ handlers: twice, clock: new FakeClock() })).toThrow('two agent handlers');
  });
});

describe('the deadline', () => {
  it('lets the ACK go without the handler, and tells it', async () => {
    const manual = new Manual();
    const { client, clock, server, until } = await run([manual], { deadlineMs: 100 });
    const peer = await client();
    const id = peer.notify({ name: 'manual', args: [] });
    await until((stats) => stats.inFlight === 1);
    clock.advance(99);
    expect(manual.signals[0]?.aborted).toBe(false);
    clock.advance(1);
    expect((await peer.ack(id)).actions).toEqual([]);
    expect(manual.signals[0]?.aborted).toBe(true);
    expect(server.stats()).toMatchObject({ inFlight: 0, abandoned: 1 });
    manual.answer(0, [OK]);
    await until((stats) => stats.abandoned === 0);
    expect(server.stats().messages['manual']).toEqual({ answered: 0, failed: 0, timedOut: 1 });
    expect(peer.received).toHaveLength(2);
  });

  it('belongs to the handler, which also says what is answered then', async () => {
    const late = handler('late', () => new Promise(() => undefined), {
      deadlineMs: 10,
      onDeadline: [FAILED],
    });
    const manual = new Manual();
    const { client, clock, until } = await run([late, manual], { deadlineMs: 100 });
    const peer = await client();
    const id = peer.notify({ name: 'late', args: [] }, { name: 'manual', args: [] });
    await until((stats) => stats.inFlight === 1);
    clock.advance(10);
    expect(peer.received).toHaveLength(1);
    manual.answer(0, [OK]);
    expect((await peer.ack(id)).actions).toEqual([FAILED, OK]);
  });

  it('costs no timer where the answer comes at once, and leaves none behind', async () => {
    const manual = new Manual();
    const { client, clock, until } = await run([handler('ok', () => [OK]), manual]);
    const peer = await client();
    await peer.ask('ok');
    expect(clock.pending).toBe(0);
    const id = peer.notify({ name: 'manual', args: [] });
    await until((stats) => stats.inFlight === 1);
    expect(clock.pending).toBe(1);
    manual.answer(0);
    await peer.ack(id);
    expect(clock.pending).toBe(0);
  });
});
