import { ArgumentError, mapFile, mapKey, mapLine, mapValue } from './arguments.ts';
import { exactly, matching, silence } from './answers.ts';
import { type Command, command } from './codec.ts';
import type { MapEntry } from './show.ts';

/** Refused (`entry not found.`) if the key is not there. Changes every entry of that key. */
export function setMapEntryCommand(file: string, key: string, value: string): Command {
  return command(['set', 'map', mapFile(file), mapKey(key), mapValue(value)], silence);
}

/** HAProxy does not look for an entry of the same key: two adds make two entries, the first one counts. */
export function addMapEntryCommand(file: string, key: string, value: string): Command {
  return command(['add', 'map', mapFile(file), mapKey(key), mapValue(value)], silence);
}

/** An absent key is fine. Of several entries of one key, 3.2 deletes all and 3.4 the first. */
export function delMapEntryCommand(file: string, key: string): Command {
  return command(['del', 'map', mapFile(file), mapKey(key)], exactly('', 'Key not found.'));
}

const NEW_VERSION = /^New version created: (\d+)$/;

export function prepareMapCommand(file: string): Command {
  return command(['prepare', 'map', mapFile(file)], matching(NEW_VERSION));
}

export function preparedVersion(answer: string): number {
  return Number(NEW_VERSION.exec(answer)?.[1]);
}

export function commitMapCommand(file: string, version: number): Command {
  return command(['commit', 'map', `@${String(version)}`, mapFile(file)], silence);
}

export function clearMapVersionCommand(file: string, version: number): Command {
  return command(['clear', 'map', `@${String(version)}`, mapFile(file)], silence);
}

/** Any text is data here; the errors are the two that HAProxy has for it. */
export function showMapCommand(file: string): Command {
  return command(['show', 'map', mapFile(file)], matching(/^(?:0x|$)/), { alone: true });
}

/** `add map @version` commands that fill a version, each below `limit` bytes. */
export function fillMapCommands(file: string, version: number, entries: readonly MapEntry[], limit: number): readonly Command[] {
  const words = ['add', 'map', `@${String(version)}`, mapFile(file)];
  // The marker line, the terminator line and their ends.
  const room = limit - Buffer.byteLength(words.join(' ')) - 32;
  const made: Command[] = [];
  let lines: string[] = [];
  let size = 0;
  for (const { key, value } of entries) {
    const line = mapLine(key, value);
    const bytes = Buffer.byteLength(line) + 1;
    if (bytes > room) throw new ArgumentError(`a map entry of ${String(bytes)} bytes, limit ${String(room)}`);
    if (size + bytes > room) {
      made.push(command(words, silence, { payload: lines.join('\n') }));
      lines = [];
      size = 0;
    }
    lines.push(line);
    size += bytes;
  }
  if (lines.length > 0) made.push(command(words, silence, { payload: lines.join('\n') }));
  return made;
}

export function refuseDuplicates(entries: readonly MapEntry[]): void {
  const seen = new Set<string>();
  for (const { key } of entries) {
    if (seen.has(key)) throw new ArgumentError('the same map key twice');
    seen.add(key);
  }
}
