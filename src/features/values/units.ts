import { type Parsed, parsed, problem } from '../contract/key.ts';

const MILLISECONDS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MAX_MILLISECONDS = 2_147_483_647;

/** Whole seconds, as ingress-nginx writes timeouts. `60s` is understood and reported, since many authors write it. */
export function seconds(text: string): Parsed<number> {
  const match = /^([0-9]{1,10})(s?)$/.exec(text.trim());
  if (!match) return problem('is not a whole number of seconds', 'Write plain seconds, such as "60".');
  const value = Number(match[1]) * 1_000;
  if (value > MAX_MILLISECONDS) return problem('is longer than 24 days');
  return parsed(value, match[2] === 's' ? 'has a unit where plain seconds are expected; it is read as seconds' : undefined);
}

/** HAProxy's time format, as HAPTIC takes it: a number with `us`, `ms`, `s`, `m`, `h` or `d`; milliseconds without unit. Gives milliseconds. */
export function haproxyTime(text: string): Parsed<number> {
  const match = /^([0-9]{1,10})(us|ms|s|m|h|d)?$/.exec(text.trim());
  if (!match) return problem('is not a time', 'Write a number with a unit, such as "30s".');
  const value = Math.floor(Number(match[1]) * (MILLISECONDS[match[2] ?? 'ms'] ?? 1));
  return value > MAX_MILLISECONDS ? problem('is longer than 24 days') : parsed(value);
}

/** Go's `time.ParseDuration`: `1h30m`, `500ms`, `1.5s`. Gives milliseconds. */
export function goDuration(text: string): Parsed<number> {
  const trimmed = text.trim();
  if (!/^([0-9]+(\.[0-9]+)?(us|µs|ms|s|m|h))+$/.test(trimmed))
    return problem('is not a duration', 'Write a duration, such as "30s" or "1m30s".');
  let total = 0;
  for (const [, number, unit] of trimmed.matchAll(/([0-9]+(?:\.[0-9]+)?)(us|µs|ms|s|m|h)/g))
    total += Number(number) * (MILLISECONDS[unit === 'µs' ? 'us' : (unit ?? 's')] ?? 0);
  return total > MAX_MILLISECONDS ? problem('is longer than 24 days') : parsed(Math.floor(total));
}

const BYTES: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** nginx's size format: a number with `k`, `m` or `g` of either case; bytes without unit. Gives bytes. */
export function nginxSize(text: string): Parsed<number> {
  const match = /^([0-9]{1,15})([kmg]?)$/i.exec(text.trim());
  if (!match) return problem('is not a size', 'Write a number with k, m or g, such as "8m".');
  return parsed(Number(match[1]) * (BYTES[(match[2] ?? '').toLowerCase()] ?? 1));
}
