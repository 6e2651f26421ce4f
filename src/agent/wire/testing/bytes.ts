/** Builds bytes from numbers, text (one byte for each character) and other bytes, as the specification writes them. */
export function bytes(...parts: readonly (number | string | Uint8Array)[]): Uint8Array {
  return Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'number') return Uint8Array.of(part);
      return typeof part === 'string' ? Buffer.from(part, 'latin1') : part;
    }),
  );
}

/** A string of the protocol that is shorter than 240 bytes: its length and itself. */
export function short(text: string): Uint8Array {
  return bytes(text.length, text);
}

/** A frame with its length prefix, which must be below 65,536. */
export function framed(...parts: readonly (number | string | Uint8Array)[]): Uint8Array {
  const body = bytes(...parts);
  return bytes(0, 0, body.length >> 8, body.length & 0xff, body);
}

export function hex(value: Uint8Array): string {
  return Buffer.from(value).toString('hex');
}

export function fromHex(text: string): Uint8Array {
  return Buffer.from(text, 'hex');
}
