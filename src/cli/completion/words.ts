import type { Command } from '../command.ts';

/** Prints every key, one a line. */
export const KEYS_COMMAND = "ramjet keys 2>/dev/null | awk 'NR > 1 { print $1 }'";

/** Everything that begins with a dash. */
export function optionWords(command: Command): readonly string[] {
  const own = command.options.flatMap(({ long, short, negatable }) => [
    `--${long}`,
    ...(negatable ? [`--no-${long}`] : []),
    ...(short === undefined ? [] : [`-${short}`]),
  ]);
  return [...own, '--help'];
}

/** Text between single quotes of a shell. */
export function single(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
