import { hashSync } from '@node-rs/bcrypt';
import { afterEach, expect, test } from 'vitest';
import { realClock } from '../../agent/real-clock.ts';
import type { AgentService, HandlerContext } from '../../agent/server/handler.ts';
import type { Action } from '../../agent/wire/action.ts';
import type { SpopValue } from '../../agent/wire/value.ts';
import { modules } from './agent.ts';

const services: AgentService[] = [];

afterEach(async () => {
  await Promise.all(services.splice(0).map(async (service) => service.stop?.()));
});

/** A service that knows one list `l`, and a way to ask it. */
function serve(users: Readonly<Record<string, string>>) {
  const service = modules[0]?.start(realClock);
  if (service === undefined) throw new Error('no module');
  services.push(service);
  service.prepare(new Map([['l', Object.entries(users)]]))();
  const ask = async (user: string, password: string, options: { readonly list?: string; readonly signal?: AbortSignal } = {}) => {
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    const args = new Map<string, SpopValue>([
      ['list', { type: 'string', value: options.list ?? 'l' }],
      ['authorization', { type: 'string', value: authorization }],
    ]);
    const context: HandlerContext = { signal: options.signal ?? new AbortController().signal, deadline: 0, engineId: undefined };
    return verdict((await service.handlers[0]?.handle(args, context)) ?? []);
  };
  return { service, ask };
}

function verdict(actions: readonly Action[]): string {
  const [action] = actions;
  return action?.type === 'set-var' && action.value.type === 'string' ? action.value.value : 'undecided';
}

/** The longest time in which the event loop did nothing else, while `work` runs; milliseconds. */
async function longestStall(work: Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  await work;
  clearInterval(timer);
  return longest;
}

test('fifty wrong passwords against bcrypt of cost 12 stall nothing, and leave in time', async () => {
  const { ask } = serve({ alice: hashSync('right', 12) });
  const signal = AbortSignal.timeout(2_000);
  const started = performance.now();
  const wrong = Promise.all(Array.from({ length: 50 }, (_, index) => ask('alice', `wrong ${index}`, { signal })));
  const stall = await longestStall(wrong);
  const verdicts = await wrong;
  expect(stall).toBeLessThan(100);
  expect(performance.now() - started).toBeLessThan(4_000);
  expect(verdicts.filter((one) => one === 'denied').length).toBeGreaterThan(0);
  expect(verdicts.every((one) => one === 'denied' || one === 'undecided')).toBe(true);
});

test('a right password is computed once', async () => {
  const { ask } = serve({ alice: hashSync('right', 12) });
  const first = await Promise.all(Array.from({ length: 20 }, () => ask('alice', 'right')));
  expect(new Set(first)).toEqual(new Set(['allowed']));
  const started = performance.now();
  for (let index = 0; index < 100; index += 1) expect(await ask('alice', 'right')).toBe('allowed');
  expect(performance.now() - started).toBeLessThan(100);
});

test('an unknown user takes as long as a known one', async () => {
  const { ask } = serve({ alice: hashSync('right', 11) });
  await ask('warm', 'up');
  const timeOf = async (user: string, password: string) => {
    const started = performance.now();
    expect(await ask(user, password)).toBe('denied');
    return performance.now() - started;
  };
  const known: number[] = [];
  const unknown: number[] = [];
  for (let index = 0; index < 6; index += 1) {
    known.push(await timeOf('alice', `wrong ${index}`));
    unknown.push(await timeOf(`nobody ${index}`, 'wrong'));
  }
  // The quickest of each is the least disturbed.
  expect(Math.min(...unknown) / Math.min(...known)).toBeGreaterThan(0.7);
  expect(Math.min(...unknown) / Math.min(...known)).toBeLessThan(1.4);
});

test('the decoy of an unknown user lets nobody in', async () => {
  const { ask } = serve({ alice: '{PLAIN}right', bob: hashSync('right', 4) });
  for (let index = 0; index < 20; index += 1) expect(await ask(`nobody ${index}`, 'right')).toBe('denied');
});

test('a new hash counts at once, and a list that is gone once more', async () => {
  const { service, ask } = serve({ alice: hashSync('old', 4) });
  expect(await ask('alice', 'old')).toBe('allowed');
  service.prepare(new Map([['l', [['alice', hashSync('new', 4)]]]]))();
  expect(await ask('alice', 'old')).toBe('denied');
  expect(await ask('alice', 'new')).toBe('allowed');
  service.prepare(new Map())();
  expect(await ask('alice', 'new')).toBe('allowed');
  service.prepare(new Map())();
  expect(await ask('alice', 'new')).toBe('undecided');
  expect(await ask('alice', 'new', { list: 'other' })).toBe('undecided');
});

test.each([[null], [{}], [[['alice']]], [[['alice', 1]]], [[]]])('%j is no list of users', (value) => {
  const { service } = serve({ alice: '{PLAIN}x' });
  expect(() => service.prepare(new Map([['l', value]]))).toThrow(/basic-auth/);
});
