import { isIP } from 'node:net';
import { type Parsed, parsed, problem } from '../contract/key.ts';

/** An address or network in canonical form: `10.0.0.0/8`, `2001:db8::/32`; a plain address gets its full length. */
export function cidr(text: string): Parsed<string> {
  const [address = '', length, ...rest] = text.trim().split('/');
  const family = isIP(address);
  const bits = family === 6 ? 128 : 32;
  // `isIP` takes a zone (`fe80::1%eth0`), which means nothing outside its own machine.
  if (family === 0 || rest.length > 0 || address.includes('%'))
    return problem('is not an address or network', 'Write an address or CIDR, such as "10.0.0.0/8".');
  if (length === undefined) return parsed(`${address.toLowerCase()}/${bits}`);
  if (!/^[0-9]{1,3}$/.test(length) || Number(length) > bits) return problem(`has a prefix length outside 0 to ${bits}`);
  return parsed(`${address.toLowerCase()}/${Number(length)}`);
}

/** A DNS name: labels of letters, digits, `-` and `_`; lower case. RFC 1123, with the underscore that services use. */
export function hostName(text: string): Parsed<string> {
  const name = text.trim().toLowerCase();
  const good = name.length <= 253 && /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/.test(name);
  return good ? parsed(name) : problem('is not a host name');
}
