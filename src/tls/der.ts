/**
 * A writer of the few DER types that a certificate needs (ITU-T X.690). Values in, bytes out.
 */
export function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return element(0x30, concat(parts));
}

export function set(...parts: readonly Uint8Array[]): Uint8Array {
  return element(0x31, concat(parts));
}

/** A positive integer from its big-endian bytes. */
export function integer(bytes: Uint8Array): Uint8Array {
  const first = bytes[0] ?? 0;
  return element(0x02, first >= 0x80 ? concat([Uint8Array.of(0), bytes]) : bytes);
}

export function bitString(bytes: Uint8Array): Uint8Array {
  return element(0x03, concat([Uint8Array.of(0), bytes]));
}

export function octetString(bytes: Uint8Array): Uint8Array {
  return element(0x04, bytes);
}

export function boolean(value: { readonly is: boolean }): Uint8Array {
  return element(0x01, Uint8Array.of(value.is ? 0xff : 0));
}

export function utf8String(text: string): Uint8Array {
  return element(0x0c, Buffer.from(text, 'utf8'));
}

/** `1.2.840.10045.4.3.2` */
export function objectIdentifier(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, Uint8Array.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** GeneralizedTime in UTC, whole seconds. */
export function generalizedTime(date: Date): Uint8Array {
  return element(0x18, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`, 'ascii'));
}

/** Context-specific tag: constructed around an element, or primitive over plain bytes. */
export function context(number: number, content: Uint8Array, form: 'constructed' | 'primitive'): Uint8Array {
  return element((form === 'constructed' ? 0xa0 : 0x80) | number, content);
}

function base128(value: number): readonly number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

function element(tag: number, content: Uint8Array): Uint8Array {
  return concat([Uint8Array.of(tag), lengthBytes(content.length), content]);
}

function lengthBytes(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Uint8Array.from([0x80 | bytes.length, ...bytes]);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}
