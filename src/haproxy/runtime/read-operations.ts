import { escapeArgument, tableName } from './arguments.ts';
import { matching, silence } from './answers.ts';
import type { RuntimeClient } from './client.ts';
import { type Command, command } from './codec.ts';
import { guard } from './guard.ts';
import { failure, type Result, success } from './result.ts';
import { parseInfo, parseStat, parseTable, type StatRow, type Table } from './show.ts';
import { all, one } from './single.ts';

export type StatScope = 'all' | 'frontends' | 'backends' | 'servers';

export interface ReadOperations {
  showInfo(): Promise<Result<ReadonlyMap<string, string>>>;
  /** Without servers it is three times faster at 5,000 backends. */
  showStat(scope: StatScope): Promise<Result<readonly StatRow[]>>;
  showTable(table: string): Promise<Result<Table>>;
  /** All rows, or the one of `key`; an absent key is fine. */
  clearTable(table: string, key?: string): Promise<Result<void>>;
}

export function readOperations(client: RuntimeClient): ReadOperations {
  return {
    showInfo: () =>
      guard('show info', async () => {
        const reply = await one(client, showInfoCommand());
        return reply.ok ? success(parseInfo(reply.value)) : reply;
      }),
    showStat: (scope) =>
      guard('show stat', async () => {
        const reply = await one(client, showStatCommand(scope));
        return reply.ok ? success(parseStat(reply.value)) : reply;
      }),
    showTable: (table) =>
      guard('show table', async () => {
        const reply = await one(client, showTableCommand(table));
        if (!reply.ok) return reply;
        const parsed = parseTable(reply.value);
        return parsed === undefined ? failure('protocol', 'show table', reply.value) : success(parsed);
      }),
    clearTable: (table, key) => guard('clear table', () => all(client, [clearTableCommand(table, key)])),
  };
}

function showInfoCommand(): Command {
  return command(['show', 'info'], matching(/^Name: /), { alone: true });
}

function showStatCommand(scope: StatScope): Command {
  return command(['show', 'stat', '-1', String(scopeBits(scope)), '-1'], matching(/^# pxname,/), { alone: true });
}

function showTableCommand(table: string): Command {
  return command(['show', 'table', tableName(table)], matching(/^# table: /), { alone: true });
}

function clearTableCommand(table: string, key: string | undefined): Command {
  return command(['clear', 'table', tableName(table), ...(key === undefined ? [] : ['key', escapeArgument(key)])], silence);
}

function scopeBits(scope: StatScope): number {
  switch (scope) {
    case 'all':
      return -1;
    case 'frontends':
      return 1;
    case 'backends':
      return 2;
    case 'servers':
      return 4;
  }
}
