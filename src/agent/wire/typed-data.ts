import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from './address.ts';
import { assertNever } from './assert-never.ts';
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { FALSE_VALUE, NULL_VALUE, type SpopValue, TRUE_VALUE } from './value.ts';
import { readVarint, readVarint64, writeVarint, writeVarint64 } from './varint.ts';

/** The type is in the low four bits of the first byte; the high four are flags, which only a bool uses. */
const TYPE_MASK = 0x0f;
const TRUE_FLAG = 0x10;

const TYPE = {
  null: 0,
  bool: 1,
  int32: 2,
  uint32: 3,
  int64: 4,
  uint64: 5,
  ipv4: 6,
  ipv6: 7,
  string: 8,
  binary: 9,
} as const;

const MAX_INT32 = 0x7fff_ffff;
const MIN_INT32 = -0x8000_0000;
const MAX_UINT32 = 0xffff_ffff;
const MAX_INT64 = 0x7fff_ffff_ffff_ffffn;
const MIN_INT64 = -0x8000_0000_0000_0000n;

/**
 * Reads one typed value (SPOE.txt 3.1). Types 10 to 15 are reserved: the fault `unknown-data-type`, since without
 * knowing the type nothing after it can be read either. An int32 or uint32 outside its range is the fault
 * `value-out-of-range`.
 */
export function readTypedData(reader: ByteReader): SpopValue {
  const head = reader.byte();
  switch (head & TYPE_MASK) {
    case TYPE.null:
      return NULL_VALUE;
    case TYPE.bool:
      return (head & TRUE_FLAG) === 0 ? FALSE_VALUE : TRUE_VALUE;
    case TYPE.int32:
      return readInt32(reader);
    case TYPE.uint32:
      return readUint32(reader);
    case TYPE.int64:
      return { type: 'int64', value: BigInt.asIntN(64, readVarint64(reader)) };
    case TYPE.uint64:
      return { type: 'uint64', value: readVarint64(reader) };
    case TYPE.ipv4:
      return { type: 'ipv4', value: formatIpv4(reader.bytes(4)) };
    case TYPE.ipv6:
      return { type: 'ipv6', value: formatIpv6(reader.bytes(16)) };
    case TYPE.string:
      return { type: 'string', value: readString(reader) };
    case TYPE.binary:
      return { type: 'binary', value: reader.bytes(readVarint(reader)) };
    default:
      reader.fail('unknown-data-type', `data type ${head & TYPE_MASK} is reserved`);
      return NULL_VALUE;
  }
}

/** Writes one typed value. A value outside the range of its type is the fault `value-out-of-range`. */
export function writeTypedData(writer: ByteWriter, data: SpopValue): void {
  switch (data.type) {
    case 'null':
      writer.byte(TYPE.null);
      break;
    case 'bool':
      writer.byte(data.value ? TYPE.bool | TRUE_FLAG : TYPE.bool);
      break;
    case 'int32':
    case 'uint32':
      writeNarrow(writer, data.type, data.value);
      break;
    case 'int64':
    case 'uint64':
      writeWide(writer, data.type, data.value);
      break;
    case 'ipv4':
      writeAddress(writer, TYPE.ipv4, parseIpv4(data.value));
      break;
    case 'ipv6':
      writeAddress(writer, TYPE.ipv6, parseIpv6(data.value));
      break;
    case 'string':
      writer.byte(TYPE.string);
      writeString(writer, data.value);
      break;
    case 'binary':
      writer.byte(TYPE.binary);
      writeVarint(writer, data.value.length);
      writer.bytes(data.value);
      break;
    default:
      assertNever(data);
  }
}

/** A length and that many bytes, as a byte string: names, and the data of a string value. */
export function readString(reader: ByteReader): string {
  return reader.byteString(readVarint(reader));
}

/** A character above U+00FF is the fault `value-out-of-range`. */
export function writeString(writer: ByteWriter, value: string): void {
  writeVarint(writer, value.length);
  writer.byteString(value);
}

/** A negative int32 travels sign-extended to 64 bits, as HAProxy reads it. */
function readInt32(reader: ByteReader): SpopValue {
  const value = Number(BigInt.asIntN(64, readVarint64(reader)));
  if (value < MIN_INT32 || value > MAX_INT32) reader.fail('value-out-of-range', 'an int32 of more than 32 bits');
  return { type: 'int32', value };
}

function readUint32(reader: ByteReader): SpopValue {
  const value = readVarint(reader);
  if (value > MAX_UINT32) reader.fail('value-out-of-range', 'a uint32 of more than 32 bits');
  return { type: 'uint32', value };
}

function writeNarrow(writer: ByteWriter, type: 'int32' | 'uint32', value: number): void {
  const [least, most] = type === 'int32' ? [MIN_INT32, MAX_INT32] : [0, MAX_UINT32];
  if (!Number.isInteger(value) || value < least || value > most) {
    writer.fail('value-out-of-range', `not a whole number in the range of ${type}`);
    return;
  }
  writer.byte(TYPE[type]);
  if (value < 0) writeVarint64(writer, BigInt.asUintN(64, BigInt(value)));
  else writeVarint(writer, value);
}

function writeWide(writer: ByteWriter, type: 'int64' | 'uint64', value: bigint): void {
  if (type === 'int64' && (value < MIN_INT64 || value > MAX_INT64)) {
    writer.fail('value-out-of-range', 'not a whole number in the range of int64');
    return;
  }
  writer.byte(TYPE[type]);
  writeVarint64(writer, type === 'int64' ? BigInt.asUintN(64, value) : value);
}

function writeAddress(writer: ByteWriter, type: number, bytes: Uint8Array | undefined): void {
  if (bytes === undefined) {
    writer.fail('value-out-of-range', 'not the text of an IP address');
    return;
  }
  writer.byte(type);
  writer.bytes(bytes);
}
