import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What /proc says. A process that is gone, or that hides from us, is simply absent. */
export interface ProcTable {
  alive(pid: number): boolean;
  argv(pid: number): readonly string[];
  /** Resident set in bytes; 0 if absent. */
  rss(pid: number): number;
  pids(): readonly number[];
  /** False if it lives in another container, whose paths are not ours. Unreadable counts as ours. */
  sameFiles(pid: number): boolean;
}

export const systemProcTable: ProcTable = {
  alive(pid) {
    // A zombie has a directory and no program.
    const stat = read(`/proc/${String(pid)}/stat`);
    const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
    return stat !== '' && state !== 'Z' && state !== 'X';
  },
  argv(pid) {
    return read(`/proc/${String(pid)}/cmdline`)
      .split('\0')
      .slice(0, -1);
  },
  rss(pid) {
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${String(pid)}/status`))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  },
  pids() {
    try {
      return readdirSync('/proc')
        .filter((entry) => /^\d+$/.test(entry))
        .map(Number);
    } catch {
      return [];
    }
  },
  sameFiles(pid) {
    try {
      return readlinkSync(`/proc/${String(pid)}/ns/mnt`) === readlinkSync('/proc/self/ns/mnt');
    } catch {
      return true;
    }
  },
};

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Is it a master or worker that serves this run directory? Both carry `-S <our master socket>`,
 * and a reload keeps it. Nothing else on a machine has that pair in its command line.
 */
export function isOurs(argv: readonly string[], masterSocket: string): boolean {
  return argv.some((word, index) => word === '-S' && (argv[index + 1] ?? '').split(',')[0] === masterSocket);
}
