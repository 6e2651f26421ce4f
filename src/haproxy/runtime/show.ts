/** Readers of what `show …` prints, the same in 3.2 and 3.4 but for added columns. Pure. */

/** `Name: value` lines of `show info`. */
export function parseInfo(text: string): ReadonlyMap<string, string> {
  const info = new Map<string, string>();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(': ');
    if (colon > 0) info.set(line.slice(0, colon), line.slice(colon + 2));
  }
  return info;
}

/** One row of `show stat`, by column name; empty columns are left out. */
export type StatRow = ReadonlyMap<string, string>;

export function parseStat(text: string): readonly StatRow[] {
  const lines = text.split('\n').filter((line) => line !== '');
  const header = lines[0];
  if (header === undefined || !header.startsWith('# ')) return [];
  const columns = splitCsv(header.slice(2));
  return lines.slice(1).map((line) => {
    const row = new Map<string, string>();
    for (const [index, value] of splitCsv(line).entries()) {
      const column = columns[index];
      if (column !== undefined && column !== '' && value !== '') row.set(column, value);
    }
    return row;
  });
}

function splitCsv(line: string): readonly string[] {
  const fields: string[] = [];
  for (const match of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    fields.push(match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'));
  }
  return fields;
}

export interface MapEntry {
  readonly key: string;
  readonly value: string;
}

/** `0x7f… key value` lines. */
export function parseMap(text: string): readonly MapEntry[] {
  const entries: MapEntry[] = [];
  for (const line of text.split('\n')) {
    const match = /^0x[0-9a-f]+ (\S+) (.*)$/.exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined) entries.push({ key: match[1], value: match[2] });
  }
  return entries;
}

export interface TableRow {
  readonly key: string;
  /** Plain columns, such as `use`, `exp`, `conn_cur`, and `http_req_rate(1000)` with its period. */
  readonly data: ReadonlyMap<string, number>;
  /** `gpc0=… gpc1=…` in order; 32 bits each, so take differences modulo 2^32. */
  readonly gpc: readonly number[];
}

export interface Table {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly used: number;
  readonly rows: readonly TableRow[];
}

export function parseTable(text: string): Table | undefined {
  const [first = '', ...rest] = text.split('\n');
  const head = /^# table: (\S+), type: (\S+), size:(\d+), used:(\d+)/.exec(first);
  if (head?.[1] === undefined || head[2] === undefined) return undefined;
  const rows = rest.map(parseTableRow).filter((row) => row !== undefined);
  return { name: head[1], type: head[2], size: Number(head[3]), used: Number(head[4]), rows };
}

function parseTableRow(line: string): TableRow | undefined {
  // A key may hold anything, blanks too; `use=` is always the first column behind it.
  const match = /^0x[0-9a-f]+: key=(.*?) (use=\d+ .*)$/.exec(line);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  const data = new Map<string, number>();
  const gpc: number[] = [];
  for (const column of match[2].split(' ')) {
    const equals = column.indexOf('=');
    if (equals < 1) continue;
    const label = column.slice(0, equals);
    const value = Number(column.slice(equals + 1));
    if (!Number.isFinite(value)) continue;
    const index = /^gpc(\d+)$/.exec(label)?.[1];
    if (index === undefined) data.set(label, value);
    else gpc[Number(index)] = value;
  }
  return { key: match[1], data, gpc };
}

/** One row of `show servers state`, by column name (`srv_name`, `srv_addr`, `srv_port`, …). */
export type ServerState = ReadonlyMap<string, string>;

export function parseServersState(text: string): readonly ServerState[] {
  const [version, header, ...rows] = text.split('\n');
  if (version !== '1' || header === undefined || !header.startsWith('# ')) return [];
  const columns = header.slice(2).split(' ');
  return rows
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => new Map(line.split(' ').map((value, index) => [columns[index] ?? String(index), value])));
}

export interface ProcessRow {
  readonly pid: number;
  readonly role: 'master' | 'worker' | 'old-worker';
  readonly reloads: number;
  /** Failed reloads; of the master only. */
  readonly failed: number;
  readonly version: string;
}

/** `show proc` of the master. Right after a failed reload the serving worker stands under the old ones. */
export function parseProcesses(text: string): readonly ProcessRow[] {
  const rows: ProcessRow[] = [];
  let old = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('# old workers')) old = true;
    const match = /^(\d+)\s+(master|worker)\s+(\d+)(?: \[failed: (\d+)\])?\s+\S+\s+(\S+)/.exec(line);
    if (match?.[5] === undefined) continue;
    const role = match[2] === 'master' ? 'master' : old ? 'old-worker' : 'worker';
    rows.push({ pid: Number(match[1]), role, reloads: Number(match[3]), failed: Number(match[4] ?? 0), version: match[5] });
  }
  return rows;
}
