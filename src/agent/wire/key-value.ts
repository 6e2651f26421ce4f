import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { readString, readTypedData, writeString, writeTypedData } from './typed-data.ts';
import type { SpopValue } from './value.ts';

/**
 * One item of a KV-LIST (SPOE.txt 3.2). The key is a byte string; it is empty for an argument that `spoe-message`
 * declares without a name.
 */
export type KeyValue = readonly [key: string, value: SpopValue];

/** The list that fills the rest of the frame: HELLO and DISCONNECT. */
export function readKeyValues(reader: ByteReader): readonly KeyValue[] {
  const items: KeyValue[] = [];
  while (reader.more) items.push(readKeyValue(reader));
  return items;
}

/** A list of `count` items: the arguments of one message. */
export function readKeyValueCount(reader: ByteReader, count: number): readonly KeyValue[] {
  const items: KeyValue[] = [];
  for (let i = 0; i < count && reader.error === undefined; i += 1) items.push(readKeyValue(reader));
  return items;
}

export function writeKeyValues(writer: ByteWriter, items: readonly KeyValue[]): void {
  for (const [key, value] of items) {
    writeString(writer, key);
    writeTypedData(writer, value);
  }
}

function readKeyValue(reader: ByteReader): KeyValue {
  return [readString(reader), readTypedData(reader)];
}
