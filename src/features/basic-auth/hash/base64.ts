const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * crypt(3)'s own base 64: groups of three bytes, named by their places in `bytes` from the most significant one
 * on, are written six bits at a time from the low end. A group of fewer bytes gives one character more than it has bytes.
 */
export function cryptBase64(bytes: Uint8Array, groups: readonly (readonly number[])[]): string {
  let text = '';
  for (const group of groups) {
    let value = group.reduce((sum, place) => (sum << 8) | (bytes[place] ?? 0), 0);
    for (let index = 0; index <= group.length; index += 1) {
      text += ALPHABET[value & 0x3f];
      value >>>= 6;
    }
  }
  return text;
}
