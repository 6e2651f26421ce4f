import type { HaproxyVersion } from '../../haproxy/feature.ts';
import { hasField, plainField, type RowTable } from '../../haproxy/rows.ts';
import { hap, type Token, word } from '../../haproxy/tokens.ts';
import type { HeaderOperations } from './policy.ts';

export type OperationFields = 'remove' | 'set' | 'add';

/** In the binary form of HAProxy's `*-headers-bin` actions, which headers.lua reads on 3.2. */
export function operationFields({ remove, set, add }: HeaderOperations): Record<OperationFields, string> {
  return {
    remove: encode(
      remove.map((name) => [name]),
      1,
    ),
    set: encode(
      set.map(({ name, value }) => [name, value]),
      2,
    ),
    add: encode(
      add.map(({ name, value }) => [name, value]),
      2,
    ),
  };
}

/** Texts with their lengths, closed by as many empty ones as an item has; base64url, so that a field needs no escape. */
function encode(items: readonly (readonly string[])[], width: number): string {
  if (items.length === 0) return '';
  const parts = items.flat().flatMap((text) => {
    const bytes = Buffer.from(text, 'utf8');
    return [varint(bytes.length), bytes];
  });
  return Buffer.concat([...parts, Buffer.alloc(width)]).toString('base64url');
}

/** Variable-length integer of HAProxy's protocols: one byte below 240, then 4 bits and groups of 7. */
export function varint(value: number): Buffer {
  if (value < 240) return Buffer.from([value]);
  const bytes = [240 | (value & 15)];
  let rest = (value - 240) >>> 4;
  while (rest >= 128) {
    bytes.push(128 | (rest & 127));
    rest = (rest - 128) >>> 7;
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}

/** Statements that carry out the row in `txn.TABLE`: `http-request`, `http-response` or `http-after-response`. */
export function operationLines<F extends string>(
  version: HaproxyVersion,
  statement: Token,
  table: RowTable<F | OperationFields>,
  condition: Token,
): readonly Token[] {
  const side = statement.text === 'http-request' ? hap`request` : hap`response`;
  if (version === '3.2') return [hap`${statement} lua.ramjet_headers ${side} ${word(table.name)} if ${condition}`];
  const action = (name: OperationFields, text: Token) =>
    hap`${statement} ${text} ${plainField(table, name)},ub64dec if ${condition} ${hasField(table, name)}`;
  return [action('remove', hap`del-headers-bin`), action('set', hap`set-headers-bin`), action('add', hap`add-headers-bin`)];
}
