import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentEntries } from './server/handler.ts';

/** Facts by module name. */
export type AgentData = ReadonlyMap<string, AgentEntries>;

/** Reads what the controller wrote; before its first writing there is nothing. Throws on anything but `{name: {key: value}}`. */
export async function readAgentData(runDir: string): Promise<AgentData> {
  let text: string;
  try {
    text = await readFile(join(runDir, 'agent.json'), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map();
    throw error;
  }
  return parseAgentData(text);
}

export function parseAgentData(text: string): AgentData {
  const data: unknown = JSON.parse(text);
  return new Map(Object.entries(requireRecord(data)).map(([name, entries]) => [name, new Map(Object.entries(requireRecord(entries)))]));
}

function requireRecord(value: unknown): object {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new Error('agent.json is not an object of objects');
  return value;
}
