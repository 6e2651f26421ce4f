import { encodeField, hap, type Token, TokenError, word } from './tokens.ts';

/** How HAProxy looks a key up: exact string, longest prefix, first matching regex, longest network. */
export type RowMatch = 'str' | 'beg' | 'reg' | 'regm' | 'ip';

/**
 * A map file. Keys and values are data; the names of the fields are structure. `ordered` tables keep
 * the order of their rows (first match wins) and are always replaced whole.
 */
export interface RowTable<F extends string = string> {
  readonly name: string;
  readonly match: RowMatch;
  readonly fields: readonly F[];
}

/** A row by field name, before encoding. A field left out is empty. */
export interface Row {
  readonly table: RowTable;
  /** One word: no white space, no control characters. */
  readonly key: string;
  readonly value: string;
}

/** Declares a table; `name` is also the name of the transaction variable that holds the looked-up row. */
export function rowTable<const F extends string>(name: string, match: RowMatch, fields: readonly F[]): RowTable<F> {
  word(name);
  return { name, match, fields };
}

/** Makes a row. Numbers are written in decimal. */
export function row<F extends string>(table: RowTable<F>, key: string, values: Partial<Record<F, string | number>>): Row {
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TokenError(`not a map key: ${JSON.stringify(key)}`);
  const value = table.fields.map((field) => encodeField(String(values[field] ?? ''))).join('|');
  return { table, key, value };
}

/** A row whose value is already in the form the rules expect (a regsub template, a list): one printable word. */
export function rawRow(table: RowTable, key: string, value: string): Row {
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TokenError(`not a map key: ${JSON.stringify(key)}`);
  if (!/^[\x21-\x7e]*$/.test(value)) throw new TokenError(`not a map value: ${JSON.stringify(value)}`);
  return { table, key, value };
}

/** The text of a field of the row in `txn.NAME`, as a sample expression. */
export function field<F extends string>(table: RowTable<F>, name: F): Token {
  return hap`${plainField(table, name)},url_dec`;
}

/** Like `field`, for numbers and other text that is never percent-encoded: one converter less. */
export function plainField<F extends string>(table: RowTable<F>, name: F): Token {
  return hap`var(txn.${word(table.name)}),field(${table.fields.indexOf(name) + 1},|)`;
}

/** Condition: the field is there and not empty. */
export function hasField<F extends string>(table: RowTable<F>, name: F): Token {
  return hap`{ ${plainField(table, name)} -m len gt 0 }`;
}
