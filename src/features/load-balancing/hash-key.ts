import { type Parsed, parsed, problem } from '../contract/key.ts';
import type { HashPart, HashVariable } from './policy.ts';

const PLAIN: Readonly<Record<string, HashVariable>> = {
  request_uri: { variable: 'uri' },
  uri: { variable: 'path' },
  document_uri: { variable: 'path' },
  args: { variable: 'query' },
  query_string: { variable: 'query' },
  host: { variable: 'host' },
  http_host: { variable: 'host' },
  server_name: { variable: 'host' },
  remote_addr: { variable: 'client-address' },
  binary_remote_addr: { variable: 'client-address' },
  realip_remote_addr: { variable: 'client-address' },
  proxy_add_x_forwarded_for: { variable: 'client-address' },
  request_method: { variable: 'method' },
  scheme: { variable: 'scheme' },
};

const VARIABLE = /\$(?:\{([A-Za-z0-9_-]+)\}|([A-Za-z0-9_]+))/g;

/** nginx: variables and text in any order, such as `$request_uri`, `${remote_addr}-x`, `$http_x_user$host`. */
export function nginxHashKey(text: string): Parsed<readonly HashPart[]> {
  const template = text.trim();
  if (template.length > 512) return problem('is longer than 512 characters');
  if (!/^[\x20-\x7e]*$/.test(template)) return problem('holds a character that is not printable ASCII');
  const parts: HashPart[] = [];
  let end = 0;
  for (const match of template.matchAll(VARIABLE)) {
    if (match.index > end) parts.push({ text: template.slice(end, match.index) });
    const variable = nginxVariable(match[1] ?? match[2] ?? '');
    if (variable === undefined)
      return problem(
        `names the variable ${match[0]}, which is not supported`,
        'Use $request_uri, $uri, $args, $host, $remote_addr, $http_NAME, $cookie_NAME or $arg_NAME.',
      );
    parts.push(variable);
    end = match.index + match[0].length;
  }
  if (end < template.length) parts.push({ text: template.slice(end) });
  if (parts.some((part) => 'text' in part && part.text.includes('$'))) return problem('holds a $ that begins no variable');
  return parts.some((part) => 'variable' in part)
    ? parsed(parts)
    : problem('names no variable, so that every request would reach one endpoint');
}

/** In nginx a header's `-` is written `_`. */
function nginxVariable(name: string): HashVariable | undefined {
  const plain = Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined;
  return plain ?? prefixed(name, (header) => header.replaceAll('_', '-'));
}

/** MSE: one variable, a header's name taken literally. */
export function mseHashKey(text: string): Parsed<readonly HashPart[]> {
  const name = /^\$\{?([A-Za-z0-9_-]+)\}?$/.exec(text.trim())?.[1] ?? '';
  const known = ['request_uri', 'host', 'remote_addr'].includes(name) ? PLAIN[name] : prefixed(name, (header) => header);
  if (known !== undefined && !(known.variable === 'cookie')) return parsed([known]);
  return problem('is not one of $request_uri, $host, $remote_addr, $http_NAME and $arg_NAME');
}

function prefixed(name: string, header: (name: string) => string): HashVariable | undefined {
  const match = /^(http|cookie|arg)_([A-Za-z0-9_-]+)$/.exec(name);
  const rest = match?.[2];
  if (match === null || rest === undefined) return undefined;
  if (match[1] === 'http') return { variable: 'header', name: header(rest.toLowerCase()) };
  return { variable: match[1] === 'cookie' ? 'cookie' : 'argument', name: rest };
}

const FETCHES: Readonly<Record<string, HashVariable>> = {
  uri: { variable: 'path' },
  source: { variable: 'client-address' },
  src: { variable: 'client-address' },
  path: { variable: 'path' },
  pathq: { variable: 'uri' },
  url: { variable: 'uri' },
  query: { variable: 'query' },
  method: { variable: 'method' },
};

/** HAPTIC: a word, an nginx variable or one of HAProxy's fetches. Others can't be passed on: they would be configuration. */
export function hapticHashKey(text: string): Parsed<readonly HashPart[]> {
  const expression = text.trim();
  const plain = Object.hasOwn(FETCHES, expression) ? FETCHES[expression] : undefined;
  if (plain !== undefined) return parsed([plain]);
  const variable = expression.startsWith('$') ? nginxVariable(expression.slice(1)) : fetchWithName(expression);
  return variable === undefined
    ? problem(
        'is not an expression that is supported',
        'Use uri, source, $http_NAME, $arg_NAME, $cookie_NAME, or one of src, path, pathq, query, method, req.hdr(NAME), req.cook(NAME), url_param(NAME).',
      )
    : parsed([variable]);
}

export function fetchWithName(expression: string): HashVariable | undefined {
  const match = /^(?:(req\.f?hdr|hdr)|(req\.cook|cook)|(url_param|urlp))\(([A-Za-z0-9_.-]+)\)$/.exec(expression);
  const name = match?.[4];
  if (match === null || name === undefined) return undefined;
  if (match[1] !== undefined) return { variable: 'header', name: name.toLowerCase() };
  return { variable: match[2] === undefined ? 'argument' : 'cookie', name };
}
