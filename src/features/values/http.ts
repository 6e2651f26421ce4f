import { type Parsed, parsed, problem } from '../contract/key.ts';

/** A token of RFC 9110, 5.6.2: header names, methods, cookie names. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

export function headerName(text: string): Parsed<string> {
  const name = text.trim();
  if (name.length > 128) return problem('is longer than 128 characters');
  return TOKEN.test(name) ? parsed(name) : problem('is not a header name');
}

/** A cookie name is a token (RFC 6265, 4.1.1). */
export function cookieName(text: string): Parsed<string> {
  const name = text.trim();
  if (name.length > 128) return problem('is longer than 128 characters');
  return TOKEN.test(name) ? parsed(name) : problem('is not a cookie name');
}

/** A field value of RFC 9110, 5.5: visible characters, spaces and tabs, obs-text; at most 4,096 characters. */
export function headerValue(text: string): Parsed<string> {
  if (text.length > 4_096) return problem('is longer than 4,096 characters');
  // oxlint-disable-next-line no-control-regex
  return /[\u0000-\u0008\u000a-\u001f\u007f]/.test(text) ? problem('holds a control character') : parsed(text.trim());
}

/** An absolute `http(s)` URL, or a path that starts with `/`, without white space, quotes or control characters. */
export function redirectTarget(text: string): Parsed<string> {
  const target = text.trim();
  if (target.length > 2_048) return problem('is longer than 2,048 characters');
  if (!/^[\x21-\x7e]+$/.test(target) || /["'<>\\^`{|}]/.test(target)) return problem('holds characters that no URL may hold');
  if (target.startsWith('/') && !target.startsWith('//')) return parsed(target);
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return problem('is not an http or https URL');
  return parsed(target);
}
