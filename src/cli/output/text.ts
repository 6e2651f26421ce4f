import type { Io } from '../io.ts';

export type Colour = 'red' | 'yellow' | 'green' | 'dim' | 'bold';

const CODES = { red: 31, yellow: 33, green: 32, dim: 2, bold: 1 } as const;

/** Colours for people at a terminal; text as it is for everybody else (https://no-color.org). */
export function painter(io: Io): (colour: Colour, text: string) => string {
  const plain = !io.isTTY || Boolean(io.env['NO_COLOR']) || io.env['TERM'] === 'dumb';
  return (colour, text) => (plain ? text : `\u001b[${CODES[colour]}m${text}\u001b[0m`);
}

/** Names and values come from files of others: no control character of theirs reaches a terminal. */
export function printable(text: string): string {
  return text.replaceAll(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

/** Columns as kubectl prints them: upper case heads, three spaces between, no lines. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (column === cells.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('   ')
      .trimEnd();
  return `${[heads, ...rows].map(line).join('\n')}\n`;
}

/** Two spaces, a final line feed: what every `--output json` prints. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
