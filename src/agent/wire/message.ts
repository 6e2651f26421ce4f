import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { type KeyValue, readKeyValueCount, writeKeyValues } from './key-value.ts';
import { readString, writeString } from './typed-data.ts';

const MAX_ARGUMENTS = 255;

/** One `spoe-message` in a NOTIFY frame (SPOE.txt 3.2): its name and 0 to 255 arguments in their declared order. */
export interface Message {
  readonly name: string;
  readonly args: readonly KeyValue[];
}

export function readMessages(reader: ByteReader): readonly Message[] {
  const messages: Message[] = [];
  while (reader.more) {
    const name = readString(reader);
    messages.push({ name, args: readKeyValueCount(reader, reader.byte()) });
  }
  return messages;
}

export function writeMessages(writer: ByteWriter, messages: readonly Message[]): void {
  for (const message of messages) {
    if (message.args.length > MAX_ARGUMENTS) {
      writer.fail('value-out-of-range', `a message of more than ${MAX_ARGUMENTS} arguments`);
      return;
    }
    writeString(writer, message.name);
    writer.byte(message.args.length);
    writeKeyValues(writer, message.args);
  }
}
