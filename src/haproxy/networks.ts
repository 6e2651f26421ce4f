import { isIP } from 'node:net';
import { shortDigest } from '../model/identity.ts';
import { compareText } from '../model/origin.ts';
import type { SharedRows } from './feature.ts';
import { rawRow, rowTable } from './rows.ts';
import { hap, type Token, TokenError } from './tokens.ts';

/**
 * Address lists as data. The client's address is written as its family and its hex digits
 * (`40A010203`), and a network becomes the digits it fixes, behind the digest of its list:
 * `LIST/40A` is 10.0.0.0/8. One longest-prefix look-up then answers for any list, in any number of
 * lists, without a file of its own or a reload. A prefix length between two digits takes up to eight rows.
 */
export const networks = rowTable('networks', 'beg', ['verdict']);

export type Verdict = 'a' | 'd';

export interface NetworkList {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** For addresses in neither. */
  readonly otherwise: Verdict;
}

/** Name of a list: equal lists are one. */
export function networkListId(list: NetworkList): string {
  return shortDigest(list.otherwise, [...list.allow].sort(compareText).join(), [...list.deny].sort(compareText).join());
}

export function networkListRows(list: NetworkList): SharedRows {
  const id = networkListId(list);
  return {
    key: `networks/${id}`,
    rows: () => [...verdicts(list)].map(([prefix, verdict]) => rawRow(networks, `${id}/${prefix}`, verdict)),
  };
}

/**
 * The longest prefix answers, but a denial counts before any permission: permissions inside a denied
 * network are left out, so that they can't be the longer match.
 */
function verdicts({ allow, deny, otherwise }: NetworkList): ReadonlyMap<string, Verdict> {
  const denied = new Set(deny.flatMap(networkPrefixes));
  const prefixes = new Map<string, Verdict>([
    ['4', otherwise],
    ['6', otherwise],
  ]);
  for (const prefix of allow.flatMap(networkPrefixes)) if (!coveredBy(denied, prefix)) prefixes.set(prefix, 'a');
  for (const prefix of denied) prefixes.set(prefix, 'd');
  return prefixes;
}

function coveredBy(denied: ReadonlySet<string>, prefix: string): boolean {
  for (let length = 1; length <= prefix.length; length += 1) if (denied.has(prefix.slice(0, length))) return true;
  return false;
}

/** The prefixes that hold exactly the addresses of a network. IPv4-mapped IPv6 networks stand for their IPv4 network. */
export function networkPrefixes(network: string): readonly string[] {
  const [address = '', lengthText = ''] = network.split('/');
  const family = isIP(address);
  const length = Number(lengthText);
  if (family === 0 || !/^[0-9]{1,3}$/.test(lengthText) || length > (family === 6 ? 128 : 32))
    throw new TokenError(`not a network: ${JSON.stringify(network)}`);
  if (family === 4) return expand('4', ipv4Digits(address), length);
  const digits = ipv6Digits(address);
  return digits.startsWith(MAPPED) && length >= 96 ? expand('4', digits.slice(MAPPED.length), length - 96) : expand('6', digits, length);
}

const MAPPED = '00000000000000000000FFFF';

function expand(family: '4' | '6', digits: string, length: number): readonly string[] {
  const whole = Math.floor(length / 4);
  const fixed = family + digits.slice(0, whole);
  const bits = length % 4;
  if (bits === 0) return [fixed];
  const free = 2 ** (4 - bits);
  const first = Math.floor(Number.parseInt(digits.charAt(whole), 16) / free) * free;
  return Array.from({ length: free }, (_, index) => fixed + (first + index).toString(16).toUpperCase());
}

function ipv4Digits(address: string): string {
  return address
    .split('.')
    .map((part) => Number(part).toString(16).toUpperCase().padStart(2, '0'))
    .join('');
}

function ipv6Digits(address: string): string {
  if (address.includes('%')) throw new TokenError(`an address with a zone: ${JSON.stringify(address)}`);
  const dotted = /^(.*:)([0-9.]+\.[0-9]+)$/.exec(address);
  const tail = dotted?.[2] === undefined ? undefined : ipv4Digits(dotted[2]);
  const text = tail === undefined ? address : `${dotted?.[1] ?? ''}${tail.slice(0, 4)}:${tail.slice(4)}`;
  const [left = '', right] = text.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const missing = right === undefined ? 0 : 8 - groups(left).length - groups(right).length;
  const all = [...groups(left), ...Array.from({ length: missing }, () => '0'), ...groups(right ?? '')];
  return all.map((group) => group.toUpperCase().padStart(4, '0')).join('');
}

/** Lines that write the client's address into `txn.ip` in the form the look-up needs. */
export function clientAddressLines(condition: Token): readonly Token[] {
  return [
    hap`http-request set-var(txn.ip) src,hex if ${condition}`,
    hap`http-request set-var-fmt(txn.ip) 6%[var(txn.ip)] if ${condition} { var(txn.ip),length 32 }`,
    hap`http-request set-var-fmt(txn.ip) 4%[var(txn.ip)] if ${condition} { var(txn.ip),length 8 }`,
    // A listener for both families sees IPv4 clients as ::ffff:a.b.c.d.
    hap`http-request set-var-fmt(txn.ip) 4%[var(txn.ip),bytes(25)] if ${condition} { var(txn.ip) -m beg ${MAPPED_KEY} }`,
  ];
}

const MAPPED_KEY = hap`600000000000000000000FFFF`;

/** The verdict of the list named by `list` (a sample expression) on the client, as a sample expression. */
export function networkVerdict(list: Token, file: Token): Token {
  return hap`${list},concat(/,txn.ip),map_beg(${file})`;
}
