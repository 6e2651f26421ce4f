/*
 * IP addresses between the four or sixteen bytes of the protocol and the text that people and rules use. Written here
 * because this folder imports nothing; `node:net` could only judge a text, not turn it into bytes.
 */

const IPV4_BYTES = 4;
const IPV6_GROUPS = 8;
const DECIMAL_PART = /^(?:0|[1-9][0-9]{0,2})$/;
const HEX_GROUP = /^[0-9a-fA-F]{1,4}$/;

/** `bytes` holds four bytes; the text is dotted decimal. */
export function formatIpv4(bytes: Uint8Array): string {
  return bytes.join('.');
}

/** Four bytes, or nothing when the text is no dotted decimal address (leading zeros are refused). */
export function parseIpv4(text: string): Uint8Array | undefined {
  const parts = text.split('.');
  if (parts.length !== IPV4_BYTES || !parts.every((part) => DECIMAL_PART.test(part))) return undefined;
  const numbers = parts.map(Number);
  return numbers.every((number) => number <= 0xff) ? Uint8Array.from(numbers) : undefined;
}

/** `bytes` holds sixteen bytes; the text is the canonical one of RFC 5952, IPv4-mapped addresses in mixed notation. */
export function formatIpv6(bytes: Uint8Array): string {
  const groups = toGroups(bytes);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return `::ffff:${formatIpv4(bytes.subarray(12))}`;
  }
  const words = groups.map((group) => group.toString(16));
  const run = longestZeroRun(groups);
  if (run.length < 2) return words.join(':');
  return `${words.slice(0, run.start).join(':')}::${words.slice(run.start + run.length).join(':')}`;
}

/** Sixteen bytes, or nothing when the text is no IPv6 address. Zones (`%eth0`) are refused: the bytes have no place. */
export function parseIpv6(text: string): Uint8Array | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0] ?? '', halves.length === 1);
  if (head === undefined) return undefined;
  if (halves.length === 1) return head.length === IPV6_GROUPS ? fromGroups(head) : undefined;
  const tail = parseGroups(halves[1] ?? '', true);
  if (tail === undefined) return undefined;
  const missing = IPV6_GROUPS - head.length - tail.length;
  // "::" stands for at least one group.
  if (missing < 1) return undefined;
  return fromGroups([...head, ...new Array<number>(missing).fill(0), ...tail]);
}

function parseGroups(text: string, mayEndInIpv4: boolean): readonly number[] | undefined {
  if (text === '') return [];
  const words = text.split(':');
  const last = words.at(-1) ?? '';
  const tail = mayEndInIpv4 && last.includes('.') ? parseIpv4(last) : undefined;
  if (tail !== undefined) words.pop();
  if (!words.every((word) => HEX_GROUP.test(word))) return undefined;
  const groups = words.map((word) => Number.parseInt(word, 16));
  return tail === undefined ? groups : [...groups, ...toGroups(tail)];
}

function toGroups(bytes: Uint8Array): readonly number[] {
  const groups: number[] = [];
  for (let i = 0; i < bytes.length; i += 2) groups.push((bytes[i] ?? 0) * 256 + (bytes[i + 1] ?? 0));
  return groups;
}

function fromGroups(groups: readonly number[]): Uint8Array {
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

/** The leftmost of the longest runs of zero groups. */
function longestZeroRun(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (let i = 0; i <= groups.length; i += 1) {
    if (groups[i] === 0) continue;
    if (i - start > best.length) best = { start, length: i - start };
    start = i + 1;
  }
  return best;
}
