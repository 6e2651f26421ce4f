import { type Parsed, type Parser, parsed, problem } from '../contract/key.ts';
import { redirectTarget } from '../values/http.ts';
import type { LocationTemplate } from './policy.ts';

export const LITERAL: LocationTemplate = {
  base: 'none',
  before: '',
  scheme: false,
  middle: '',
  host: 'none',
  after: '',
  tail: 'none',
  end: '',
};

interface LocationOptions {
  /** A path on the same site is allowed beside a URL. */
  readonly paths: boolean;
  /** `$scheme`, `$host` and `$request_uri` stand for parts of the request, as in nginx. */
  readonly variables: boolean;
}

const HOSTS: Readonly<Record<string, LocationTemplate['host']>> = { $host: 'name', $server_name: 'name', $http_host: 'header' };
const TAILS: Readonly<Record<string, LocationTemplate['tail']>> = {
  $request_uri: 'uri',
  $uri$is_args$args: 'uri',
  $uri$is_args$query_string: 'uri',
  $uri: 'path',
  $document_uri: 'path',
  $is_args$args: 'query',
  $is_args$query_string: 'query',
  '?$args': 'query',
  '?$query_string': 'query',
};
/** Each text ends at its variable, so that matching takes one pass. */
const TEMPLATE =
  /^(?:([^$]*)(\$scheme\b))?(?:([^$]*)(\$(?:host|server_name|http_host)\b))?(?:([^$]*)(\$request_uri\b|\$uri\b(?:\$is_args\$(?:args|query_string)\b)?|\$document_uri\b|\$is_args\$(?:args|query_string)\b|\?\$(?:args|query_string)\b))?([^$]*)$/;

/** Where a redirect leads: a URL, or a path that starts with `/`. */
export function location(options: LocationOptions): Parser<LocationTemplate> {
  return (text) => {
    if (text.length > 4_096) return problem('is longer than 2,048 characters');
    const target = text.trim().replaceAll(/\$\{(\w+)\}/g, '$$$1');
    if (!options.variables || !target.includes('$')) return literal(target, options);
    const match = TEMPLATE.exec(target);
    if (!match)
      return problem(
        'uses a variable that can not stand there',
        'Write at most one each of $scheme, $host and $request_uri, in this order.',
      );
    const [, before = '', scheme, middle = '', host, after = '', tail, end = ''] = match;
    const sample =
      before +
      (scheme ? 'https' : '') +
      middle +
      (host ? 'host' : '') +
      after +
      (tail?.startsWith('?') || tail?.startsWith('$is_args') ? '?q' : tail ? '/p' : '') +
      end;
    const checked = literal(sample, options);
    if (!checked.ok) return checked;
    if (checked.value.base === 'site' && before + middle + after + end === '') return problem('would send every request to itself');
    return parsed({
      base: checked.value.base,
      ...texts({ before, middle, after, scheme: scheme !== undefined, host: HOSTS[host ?? ''] ?? 'none' }),
      tail: TAILS[tail ?? ''] ?? 'none',
      end,
    });
  };
}

/** Text between two variables that are not there belongs to the one before. */
function texts({
  before,
  scheme,
  middle,
  host,
  after,
}: Omit<LocationTemplate, 'base' | 'tail' | 'end'>): Omit<LocationTemplate, 'base' | 'tail' | 'end'> {
  if (host === 'none' && !scheme) return { before: lowerOrigin(before + middle + after), scheme, middle: '', host, after: '' };
  if (host === 'none') return { before, scheme, middle: middle + after, host, after: '' };
  return scheme ? { before, scheme, middle, host, after } : { before: lowerOrigin(before + middle), scheme, middle: '', host, after };
}

function literal(target: string, options: LocationOptions): Parsed<LocationTemplate> {
  const outcome = redirectTarget(target);
  if (!outcome.ok) return outcome;
  if (!target.startsWith('/')) return parsed({ ...LITERAL, before: lowerOrigin(target) });
  return options.paths ? parsed({ ...LITERAL, base: 'site', before: target }) : problem('is not an http or https URL');
}

/** Scheme and host in lower case, so that a target can be compared with the request's own URL. */
function lowerOrigin(target: string): string {
  return target.replace(/^[^/]*\/\/[^/?#]*/, (origin) => origin.toLowerCase());
}

/** A path to which `/` is sent: not `/` itself. */
export function rootPath(text: string): Parsed<LocationTemplate> {
  const outcome = location({ paths: true, variables: false })(text);
  if (!outcome.ok) return outcome;
  if (outcome.value.base !== 'site') return problem('is not a path', 'Write a path that starts with "/", such as "/app".');
  return /^\/([?#]|$)/.test(outcome.value.before) ? problem('would send "/" to itself') : outcome;
}
