import type { MasterCli } from './master-cli.ts';
import type { ProcessInfo } from './options.ts';
import type { ProcTable } from './proc-table.ts';
import type { ProcessResult } from './result.ts';

/** After a failed reload the master lists the worker that serves among the old ones; `serving` knows better. */
export async function listProcesses(cli: MasterCli, procTable: ProcTable, serving: number): Promise<ProcessResult<readonly ProcessInfo[]>> {
  const rows = await cli.processes();
  if (!rows.ok) return rows;
  const value = rows.value.map(({ pid, role, reloads, version }): ProcessInfo => {
    return { pid, role: pid === serving ? 'worker' : role, rssBytes: procTable.rss(pid), reloads, version };
  });
  return { ok: true, value };
}
