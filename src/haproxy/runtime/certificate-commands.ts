import { ArgumentError, storePath } from './arguments.ts';
import { lastLine, matching } from './answers.ts';
import { type Command, command } from './codec.ts';

/** Both stores have the same verbs; only the words and the answers differ. */
export type Store = 'cert' | 'ca-file';

/** The entry may be there already, and then it stays. */
export function newEntryCommand(store: Store, path: string): Command {
  const created = store === 'cert' ? 'New empty certificate store' : 'New CA file created';
  return command(['new', 'ssl', store, storePath(path)], matching(new RegExp(`^(?:${created} '.*'!|.* already exists!)$`)));
}

/** Opens a transaction, or puts another value into the open one. There is one at a time in all HAProxy. */
export function setEntryCommand(store: Store, path: string, pem: string): Command {
  return command(['set', 'ssl', store, storePath(path)], OPENED, { payload: pem });
}

/** Appends to the open transaction, so a bundle may be larger than one command. */
export function appendCaCommand(path: string, pem: string): Command {
  return command(['add', 'ssl', 'ca-file', storePath(path)], OPENED, { payload: pem });
}

const OPENED = matching(/^transaction (?:created|updated) for (?:certificate|CA) .*!$/im);

export function commitEntryCommand(store: Store, path: string): Command {
  return command(['commit', 'ssl', store, storePath(path)], lastLine('Success!'));
}

/** Nothing to abort is fine. */
export function abortEntryCommand(store: Store, path: string): Command {
  return command(
    ['abort', 'ssl', store, storePath(path)],
    matching(/^(?:Transaction aborted for certificate '.*'|No ongoing transaction)!$/),
  );
}

/** Nothing to delete is fine; an entry in use is not. */
export function deleteEntryCommand(store: Store, path: string): Command {
  return command(['del', 'ssl', store, storePath(path)], matching(/(?:^(?:Certificate|CA file) '.*' deleted!|doesn't exist!)$/));
}

/** The path of the transaction that somebody left open, from the answer to a `set` or `commit`. */
export function openTransaction(answer: string): string | undefined {
  return /^The ongoing transaction is about '([^']+)'/m.exec(answer)?.[1];
}

export function showStoreCommand(store: Store): Command {
  return command(['show', 'ssl', store], matching(/^# /), { alone: true });
}

export interface CrtListLine {
  readonly certificate: string;
  /** Words between the brackets: `alpn h2,http/1.1`, `verify optional ca-file …`. */
  readonly options: readonly string[];
  /** Server names; `*.` and a leading `!` as in a crt-list. None: those of the certificate. */
  readonly names: readonly string[];
}

export interface NumberedCrtListLine extends CrtListLine {
  readonly number: number;
}

function renderCrtListLine(line: CrtListLine): string {
  for (const option of line.options) if (!/^[A-Za-z0-9_.:,/@%+=*!-]+$/.test(option)) throw new ArgumentError('not a crt-list option');
  for (const host of line.names)
    if (!/^!?(?:\*|(?:\*\.)?[A-Za-z0-9_-][A-Za-z0-9._-]*)$/.test(host)) throw new ArgumentError('not a server name');
  const options = line.options.length === 0 ? [] : [`[${line.options.join(' ')}]`];
  return [storePath(line.certificate), ...options, ...line.names].join(' ');
}

/** The same line twice makes two entries. */
export function addCrtListLineCommand(list: string, line: CrtListLine): Command {
  return command(['add', 'ssl', 'crt-list', storePath(list)], lastLine('Success!'), { payload: renderCrtListLine(line) });
}

export function showCrtListCommand(list: string): Command {
  return command(['show', 'ssl', 'crt-list', '-n', storePath(list)], matching(/^# /), { alone: true });
}

/** The number is part of the name: a certificate may stand in several lines. */
export function deleteCrtListLineCommand(list: string, certificate: string, number: number): Command {
  const words = ['del', 'ssl', 'crt-list', storePath(list), `${storePath(certificate)}:${String(number)}`];
  return command(words, matching(/^Entry '.*' deleted in crtlist '.*'!$/));
}

/** HAProxy prints a NUL before the closing bracket. */
export function parseCrtList(text: string): readonly NumberedCrtListLine[] {
  const lines: NumberedCrtListLine[] = [];
  for (const line of text.replaceAll('\0', '').split('\n')) {
    const match = /^([^#\s]\S*):(\d+)(?: \[([^\]]*)\])?((?: \S+)*)\s*$/.exec(line);
    if (match?.[1] === undefined) continue;
    lines.push({ certificate: match[1], number: Number(match[2]), options: words(match[3]), names: words(match[4]) });
  }
  return lines;
}

function words(text: string | undefined): readonly string[] {
  return (text ?? '').split(' ').filter((word) => word !== '');
}
