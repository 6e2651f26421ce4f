import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseAgentData, readAgentData } from './data.ts';
import { Agent } from './run.ts';
import type { AgentEntries, AgentModule } from './server/handler.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'ramjet-agent-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

test('reads tables by module, and nothing before the first writing', async () => {
  expect(parseAgentData('{"a":{"k":[1]},"b":{}}')).toEqual(
    new Map([
      ['a', new Map([['k', [1]]])],
      ['b', new Map()],
    ]),
  );
  expect(await readAgentData(await folder())).toEqual(new Map());
});

test.each(['', '[]', 'null', '{"a":1}', '{"a":[]}', '{"a"'])('refuses %j', (text) => {
  expect(() => parseAgentData(text)).toThrow();
});

/** Remembers what is in effect, and refuses the key `bad`. */
function recorder(name: string): { readonly module: AgentModule; current: AgentEntries } {
  const record = {
    current: new Map<string, unknown>() as AgentEntries,
    module: {
      name,
      start: () => ({
        handlers: [],
        prepare: (entries: AgentEntries) => {
          if (entries.has('bad')) throw new Error(`${name} can't use it`);
          return () => {
            record.current = entries;
          };
        },
      }),
    },
  };
  return record;
}

test('facts come into effect together or not at all', async () => {
  const runDir = await folder();
  const write = (data: unknown) => writeFile(join(runDir, 'agent.json'), JSON.stringify(data));
  const [a, b] = [recorder('a'), recorder('b')];
  await write({ a: { x: 1 }, b: { y: 1 } });
  const agent = await Agent.start({ runDir, modules: [a.module, b.module] });
  onTestFinished(() => agent.stop());
  expect(a.current.get('x')).toBe(1);
  await write({ a: { x: 2 }, b: { bad: 2 } });
  await expect(agent.load()).rejects.toThrow("b can't use it");
  expect([a.current.get('x'), b.current.get('y')]).toEqual([1, 1]);
  await write({ a: { x: 3 } });
  await agent.load();
  expect([a.current.get('x'), b.current.size]).toEqual([3, 0]);
});
