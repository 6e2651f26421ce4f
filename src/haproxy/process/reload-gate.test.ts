import { describe, expect, it } from 'vitest';
import { createReloadGate } from './reload-gate.ts';

/** Time that passes only when it is told to. */
function manualClock() {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    after(milliseconds: number, run: () => void) {
      const timer = { at: now + milliseconds, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    async pass(milliseconds: number) {
      now += milliseconds;
      const due = timers.filter((one) => one.at <= now);
      timers = timers.filter((one) => one.at > now);
      for (const timer of due) timer.run();
      // Promises of the gate settle in a few turns.
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    },
  };
}

function setUp() {
  const clock = manualClock();
  const runs: { reasons: readonly string[]; finish: (value: string) => void; fail: (error: Error) => void }[] = [];
  const gate = createReloadGate<string>(clock, 1_000, (reasons) => new Promise((finish, fail) => runs.push({ reasons, finish, fail })));
  return { clock, runs, gate };
}

describe('the reload gate', () => {
  it('runs the first request at once and the later ones together, a second after its start', async () => {
    const { clock, runs, gate } = setUp();
    const first = gate.request('a');
    expect(runs.map(({ reasons }) => reasons)).toEqual([['a']]);
    const second = [gate.request('b'), gate.request('c'), gate.request('b')];
    runs[0]?.finish('one');
    expect(await first).toBe('one');
    await clock.pass(999);
    expect(runs).toHaveLength(1);
    await clock.pass(1);
    expect(runs[1]?.reasons).toEqual(['b', 'c']);
    runs[1]?.finish('two');
    expect(await Promise.all(second)).toEqual(['two', 'two', 'two']);
    await clock.pass(5_000);
    expect(runs).toHaveLength(2);
    void gate.request('d');
    expect(runs[2]?.reasons).toEqual(['d']);
  });

  it('never joins a request to a run that already began, however long that takes', async () => {
    const { clock, runs, gate } = setUp();
    void gate.request('a');
    await clock.pass(3_000);
    void gate.request('b');
    expect(runs).toHaveLength(1);
    runs[0]?.finish('one');
    await clock.pass(0);
    expect(runs[1]?.reasons).toEqual(['b']);
  });

  it('goes on after a run that failed', async () => {
    const { clock, runs, gate } = setUp();
    const first = gate.request('a');
    runs[0]?.fail(new Error('broken'));
    await expect(first).rejects.toThrow('broken');
    await clock.pass(1_000);
    void gate.request('b');
    expect(runs[1]?.reasons).toEqual(['b']);
  });
});
