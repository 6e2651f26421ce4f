import { type Parsed, type Parser, parsed, problem } from '../contract/key.ts';
import { commaList, integer } from '../values/basic.ts';
import { cidr } from '../values/network.ts';
import { MAX_BURST, MAX_REQUESTS, type Bucket, type Refusal } from './counter.ts';

/** Zero and less switch a limit off, as in ingress-nginx. */
export const limitOrOff: Parser<number> = integer({ min: -1_000_000_000, max: MAX_REQUESTS });

export const positive: Parser<number> = integer({ min: 1, max: MAX_REQUESTS });

/** nginx's parser refuses a burst of 0 or less, which would stop the configuration of everyone; here it is 1. */
export function multiplier(text: string): Parsed<number> {
  const outcome = integer({ min: -1_000_000_000, max: 1_000_000 })(text);
  return outcome.ok && outcome.value < 1 ? parsed(1, 'is below 1; it is read as 1') : outcome;
}

/** An exemption list is taken whole or not at all. */
export function exemptions(text: string): Parsed<readonly string[]> {
  if (text.trim() === '') return problem('is empty', 'Name at least one address, or remove the key.');
  const outcome = commaList(cidr)(text);
  return outcome.ok
    ? outcome
    : problem(
        'holds an entry that is not an address or network',
        'Separate addresses or CIDRs by commas, such as "10.0.0.0/8, 192.0.2.7".',
      );
}

/** Digits with `k`, `m` or `g` for 1024, 1024² and 1024³ bytes. */
export function byteSize(text: string): Parsed<number> {
  const match = /^([0-9]{1,12})([kmg]?)$/i.exec(text.trim());
  if (!match) return problem('is not a size', 'Write a number with k, m or g, such as "500k".');
  const unit = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }[(match[2] ?? '').toLowerCase()] ?? 1;
  const bytes = Number(match[1]) * unit;
  return bytes < 1 || bytes > MAX_RATE ? problem(`is outside 1 byte to ${MAX_RATE} bytes`) : parsed(bytes);
}

/** HAProxy keeps a rate in 32 bits. */
const MAX_RATE = 4_294_967_295;

interface Rate {
  readonly requests: number;
  readonly period: number;
  readonly burst: number;
  readonly refusal: Refusal;
}

export function bucket({ requests, period, burst, refusal }: Rate): Bucket {
  return { requests, period, burst: Math.min(burst, MAX_BURST), refusal };
}

export function bucketsOf(one: Bucket | undefined, two: Bucket | undefined): readonly [] | readonly [Bucket] | readonly [Bucket, Bucket] {
  if (one !== undefined && two !== undefined) return [one, two];
  const only = one ?? two;
  return only === undefined ? [] : [only];
}
