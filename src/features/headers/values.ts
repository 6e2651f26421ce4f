import { quote } from '../../diagnostics/diagnostic.ts';
import { type Parsed, type Parser, parsed, problem } from '../contract/key.ts';
import { headerName, headerValue } from '../values/http.ts';
import { hostName } from '../values/network.ts';
import type { HeaderLine, HeaderOperations, Replacement } from './policy.ts';

/** They frame a message or belong to one connection: changing them would break it, or smuggle another one in. */
const FRAMING = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** HAProxy holds at most 101 headers in a message. */
const MAX_LINES = 32;

export function checkedName(text: string, side: 'request' | 'response'): Parsed<string> {
  const outcome = headerName(text);
  if (!outcome.ok) return outcome;
  const name = outcome.value.toLowerCase();
  if (FRAMING.has(name)) return problem('frames the message and is not for an annotation to change');
  return side === 'request' && name === 'host' ? problem('is the host of the request', 'Use upstream-vhost or set-host.') : outcome;
}

/** `Name value`, one a line; quotes around either are taken off. Of lines with one name the last counts; bad lines are left out and named. */
export function headerLines(side: 'request' | 'response'): Parser<readonly HeaderLine[]> {
  return (text) => {
    const lines = text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    const found = new Map<string, HeaderLine>();
    const bad: string[] = [];
    for (const line of lines) {
      const outcome = headerLine(line, side);
      if (outcome.ok) {
        found.delete(outcome.value.name.toLowerCase());
        found.set(outcome.value.name.toLowerCase(), outcome.value);
      } else bad.push(`${quote(line.slice(0, 60))} (${outcome.problem})`);
    }
    if (found.size === 0)
      return problem(
        bad.length === 0 ? 'names no header' : `holds no usable line: ${bad[0]}`,
        'Write a name and a value, such as "X-Stage gray".',
      );
    if (found.size > MAX_LINES) return problem(`holds more than ${MAX_LINES} lines`);
    return parsed([...found.values()], bad.length === 0 ? undefined : `holds lines that are left out: ${bad.slice(0, 3).join(', ')}`);
  };
}

function headerLine(line: string, side: 'request' | 'response'): Parsed<HeaderLine> {
  const match = /^(\S+)\s+(.+)$/s.exec(line);
  if (!match) return problem('has no value');
  const name = checkedName(unquote(match[1] ?? ''), side);
  if (!name.ok) return name;
  const value = headerValue(unquote(match[2] ?? ''));
  return value.ok ? parsed({ name: name.value, value: value.value }) : value;
}

function unquote(text: string): string {
  return /^(["']).*\1$/s.test(text) && text.length >= 2 ? text.slice(1, -1) : text;
}

/** Names separated by commas or lines. */
export function headerNames(side: 'request' | 'response'): Parser<readonly string[]> {
  return (text) => {
    const items = text
      .split(/[,\n]/)
      .map((item) => item.trim())
      .filter((item) => item !== '');
    const good = items.filter((item) => checkedName(item, side).ok);
    const bad = items.filter((item) => !checkedName(item, side).ok);
    if (good.length === 0) return problem('names no header that can be removed');
    if (good.length > MAX_LINES) return problem(`names more than ${MAX_LINES} headers`);
    return parsed(
      [...new Set(good)],
      bad.length === 0
        ? undefined
        : `names ${bad
            .slice(0, 3)
            .map((item) => quote(item))
            .join(', ')}, which can not be removed`,
    );
  };
}

/** Bytes that the operations add to a message. */
export function sizeOf(operations: HeaderOperations): number {
  const lines = [...operations.set, ...operations.add];
  return lines.reduce(
    (sum, { name, value }) => sum + name.length + Buffer.byteLength(value) + 4,
    operations.remove.reduce((sum, name) => sum + name.length, 0),
  );
}

/** A header name that becomes part of the configuration. */
export function plainName(text: string): Parsed<string> {
  const outcome = checkedName(text, 'request');
  if (!outcome.ok) return outcome;
  return /^[A-Za-z0-9_-]{1,64}$/.test(outcome.value) ? outcome : problem('is not a header name of letters, digits and dashes');
}

/** A host name with or without port. */
export function hostAndPort(text: string): Parsed<string> {
  const match = /^([^:]+)(:[0-9]{1,5})?$/.exec(text.trim());
  if (!match) return problem('is not a host name');
  const outcome = hostName(match[1] ?? '');
  return outcome.ok ? parsed(outcome.value + (match[2] ?? '')) : outcome;
}

const SERVICE_VARIABLE = /\$(?:service_name|service_port|namespace)\b/g;

/** As `hostAndPort`; `$service_name`, `$service_port` and `$namespace` stand for the route's own. `undefined`: the request's host. */
export function upstreamHost(text: string): Parsed<string | undefined> {
  const value = text.trim().replaceAll(/\$\{(\w+)\}/g, '$$$1');
  if (value === '$host' || value === '$http_host') return parsed(undefined);
  const outcome = hostAndPort(value.replaceAll(SERVICE_VARIABLE, '1'));
  if (outcome.ok) return parsed(value.toLowerCase());
  return value.includes('$')
    ? problem('uses a variable that can not stand there', 'Use $service_name, $service_port and $namespace.')
    : outcome;
}

/** `FROM TO`, or `off`, which is `undefined`. */
export function replacement(options: { readonly off: boolean }): Parser<Replacement | undefined> {
  return (text) => {
    const words = text.trim().split(/\s+/);
    if (options.off && words.length === 1 && words[0] === 'off') return parsed(undefined);
    const [from, to] = words;
    if (words.length !== 2 || from === undefined || to === undefined) return problem('is not two words');
    const bad = [from, to].find((word) => word.length > 500 || !/^[\x21-\x7e]+$/.test(word) || /[;,"\\]/.test(word));
    if (bad !== undefined) return problem('holds characters that can not stand in a cookie attribute');
    if (from.startsWith('~')) return problem('is a regular expression, which is not honoured', 'Write the prefix itself.');
    return parsed({ from, to });
  };
}

/** Literal text of a URL. */
export function urlText(text: string): Parsed<string> {
  const value = text.trim();
  if (value === '') return problem('is empty');
  return value.length <= 1_000 && /^[\x21-\x7e]+$/.test(value) ? parsed(value) : problem('holds characters that no URL may hold');
}
