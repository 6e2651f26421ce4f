import { type Parsed, parsed, problem } from '../contract/key.ts';

/** Whole seconds of either sign. */
export function cookieSeconds(text: string): Parsed<number> {
  const seconds = text.trim();
  if (!/^-?[0-9]{1,10}$/.test(seconds)) return problem('is not a whole number of seconds', 'Write plain seconds, such as "3600".');
  return Math.abs(Number(seconds)) > 2_147_483_647 ? problem('is too large') : parsed(Number(seconds));
}

/** The path of a cookie: RFC 6265, 4.1.1, without what would begin another attribute. */
export function cookiePath(text: string): Parsed<string> {
  const path = text.trim();
  return isCookiePath(path) ? parsed(path) : problem('is not a path', 'Write a path that starts with / and holds no ; or white space.');
}

export function isCookiePath(path: string): boolean {
  return path.length <= 1_024 && /^\/[\x21-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(path);
}

/** A cookie name as HAProxy's cookie line takes it. */
export function sessionCookieName(text: string): Parsed<string> {
  const name = text.trim();
  return /^[A-Za-z0-9._~+*-]{1,128}$/.test(name)
    ? parsed(name)
    : problem('is not a name for a session cookie', 'Use letters, digits, ".", "_" and "-".');
}

export function sameSite(text: string): Parsed<'None' | 'Lax' | 'Strict'> {
  const found = (['None', 'Lax', 'Strict'] as const).find((word) => word.toLowerCase() === text.trim().toLowerCase());
  return found === undefined ? problem('is not one of None, Lax, Strict') : parsed(found);
}

/** A leading dot means nothing since RFC 6265. */
export function cookieDomain(text: string): Parsed<string> {
  const domain = text.trim().toLowerCase().replace(/^\./, '');
  return /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(domain) && !domain.includes('..') ? parsed(domain) : problem('is not a domain');
}
