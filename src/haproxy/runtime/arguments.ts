/** Why a value can't be an argument. `refusal` is for people; the value itself is not repeated. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
  readonly refusal: string;

  constructor(refusal: string) {
    super(refusal);
    this.refusal = refusal;
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Half of a surrogate pair would be sent as another character than the one that was checked. */
function refuseUnsendable(text: string): void {
  if (CONTROL.test(text)) throw new ArgumentError('a control character');
  if (!text.isWellFormed()) throw new ArgumentError('half of a surrogate pair');
}

/**
 * One argument, whatever it holds. HAProxy splits a line at `;`, an argument at blanks, and takes a
 * last word that starts with `<<` for the start of a payload; a backslash makes each of them a
 * plain character (measured on 3.2.26 and 3.4.7, see codec.real.test.ts).
 */
export function escapeArgument(text: string): string {
  if (text === '') throw new ArgumentError('an empty argument');
  refuseUnsendable(text);
  return text.replace(/[ ;\\<]/g, '\\$&');
}

/** A name of a backend or server: what HAProxy itself allows (`invalid_char()`), so no `/` either. */
export function name(text: string): string {
  if (!/^[A-Za-z0-9_.:-]+$/.test(text)) throw new ArgumentError('not a HAProxy name');
  return text;
}

/** A table of a backend by its name, or one of a peers section: `peers/table`. */
export function tableName(text: string): string {
  if (!/^[A-Za-z0-9_.:-]+(\/[A-Za-z0-9_.:-]+)?$/.test(text)) throw new ArgumentError('not a HAProxy table');
  return text;
}

export function serverName(backend: string, server: string): string {
  return `${name(backend)}/${name(server)}`;
}

/** `#12` would name a map by its number and `@3` a version of it, so neither may start a path. */
export function mapFile(path: string): string {
  refuseReference(path);
  return escapeArgument(path);
}

/** A key of a map: `#0x…` would name an entry by its address; a blank would end it in the file. */
export function mapKey(key: string): string {
  refuseReference(key);
  if (key.includes(' ')) throw new ArgumentError('a blank in a map key');
  return escapeArgument(key);
}

/** One `key value` line. HAProxy drops blanks before a value, and files drop those behind it. */
export function mapLine(key: string, value: string): string {
  mapKey(key);
  mapValue(value);
  return `${key} ${value}`;
}

export function mapValue(value: string): string {
  if (value.startsWith(' ') || value.endsWith(' ')) throw new ArgumentError('blanks around a map value');
  return escapeArgument(value);
}

/** A token of a server line, such as `check` or `1s`. Only text that needs no escaping. */
export function token(text: string): string {
  if (!/^[A-Za-z0-9_.:,/@%+=()*-]+$/.test(text)) throw new ArgumentError('not a plain token');
  return text;
}

export function integer(value: number, least: number, most: number): string {
  if (!Number.isSafeInteger(value) || value < least || value > most) {
    throw new ArgumentError(`not an integer from ${String(least)} to ${String(most)}`);
  }
  return String(value);
}

/** Name of a certificate store entry, as it stands in a crt-list: blanks and brackets end it there. */
export function storePath(path: string): string {
  if (!/^[A-Za-z0-9_.:,/@%+=*-]+$/.test(path) || /^[@*]/.test(path)) throw new ArgumentError('not a certificate path');
  return path;
}

function refuseReference(text: string): void {
  if (/^[#@]/.test(text)) throw new ArgumentError('a leading # or @ is a reference');
}
