import { isIP } from 'node:net';
import { decide } from '../../model/decide.ts';
import type { DecideRequest } from '../../model/decide-canary.ts';
import { type Command, EXIT_USAGE, type Given, listOption, textOption, UsageError } from '../command.ts';
import type { Io } from '../io.ts';
import { diagnosticLines } from '../output/diagnostics.ts';
import { json } from '../output/text.ts';
import { INPUT_OPTIONS, readInput } from './input.ts';
import { routeText } from './route-text.ts';
import { routeView } from './route-view.ts';

export const route: Command = {
  name: 'route',
  summary: 'Say which route and backend a request takes, and why the others lost.',
  description: [
    'PATHS are files, folders, or - for standard input. Nothing is sent anywhere: the request is compared with what the manifests become.',
    'Policies are named, not carried out: a redirect or a refusal of theirs may come before the backend is asked. With --from, access',
    'lists are.',
  ].join('\n'),
  examples: [
    { says: 'Where a request goes', line: 'ramjet route GET https://shop.example/cart?x=1 manifests/' },
    { says: 'With a header that a canary asks for', line: "ramjet route GET http://shop.example/ -H 'X-Canary: always' manifests/" },
    { says: 'From an address', line: 'ramjet route GET http://admin.example/ --from 10.1.2.3 manifests/' },
  ],
  arguments: [
    { name: 'METHOD', completes: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] },
    { name: 'URL', completes: 'nothing' },
    { name: 'PATHS', many: true, completes: 'files' },
  ],
  options: [
    {
      long: 'header',
      short: 'H',
      value: 'NAME:VALUE',
      repeats: true,
      summary: 'A header of the request. May be given several times; Host wins over the URL.',
    },
    { long: 'from', value: 'ADDRESS', summary: 'The address of the client.' },
    { long: 'output', short: 'o', value: 'FORMAT', choices: ['text', 'json'], default: 'text', summary: 'How to print.' },
    ...INPUT_OPTIONS,
  ],
  exits: { 1: 'No backend answers the request.', 2: 'The command line can not be used, or a file can not be read.' },
  json: [
    ['route', 'the route that holds the request; null: none does'],
    ['route.id', 'short and stable, also in metrics and logs'],
    ['route.host', 'a name, `*.` and a name, `*` for any, or `~` and a regular expression'],
    ['route.pathType, .path', '`exact`, `segments` (a prefix that ends at a `/`), `prefix` or `regex`, and its text'],
    ['route.object, .file, .line', '`{kind, namespace, name}` and where it is written; null if not in a file'],
    ['backend', 'who answers: production where weight decides; null: Ramjet itself does'],
    ['backend.id, .namespace, .service, .port', 'which Service'],
    ['backend.percent', 'its share of the requests like this one'],
    ['canary', 'null for a route without canaries'],
    ['canary.decidedBy', '`rule`, `session`, `weight`, or `nothing`: no rule holds and no weight is set'],
    ['canary.to', '`canary` or `production`; `shares` where weight decides'],
    ['canary.rule', 'the rule that decided, as in `ramjet translate --to model`; else null'],
    ['canary.shares[]', 'every backend that gets such requests, with the fields of `backend` and the canary `object`, null for production'],
    ['policies', 'of the route by name, as in `ramjet translate --to model`'],
    ['losers[]', 'other routes on hosts that fit the request, with the fields of `route`'],
    ['losers[].reason', '`host`, `path`, `shorter`, `regex` or `plain`'],
    ['losers[].because', 'the same as a sentence'],
    ['answer', '`{status, because}` where Ramjet answers without a backend; else null'],
    ['path', 'the path after normalisation'],
    ['unevaluated[]', 'patterns that only HAProxy can evaluate; they count as not matching here'],
  ],
  run,
};

async function run(given: Given, io: Io): Promise<number> {
  const [method = '', url = '', ...paths] = given.arguments;
  if (!/^[A-Za-z]{1,32}$/.test(method))
    throw new UsageError(
      `${JSON.stringify(method)} is not a method; write METHOD URL PATHS, as in \`GET http://shop.example/ manifests/\``,
    );
  const request = readRequest(url, listOption(given, 'header'));
  const from = textOption(given, 'from');
  if (from !== undefined && isIP(from) === 0) throw new UsageError(`--from: ${JSON.stringify(from)} is not an IP address`);
  const input = await readInput(paths, given, io);
  io.stderr.write(diagnosticLines(input.unreadable, io));
  const decision = decide(input.compiled.model, request);
  const view = routeView(input.compiled.model, decision, from);
  io.stdout.write(textOption(given, 'output') === 'json' ? json(view) : routeText(`${method} ${url}`, view, decision, io));
  if (input.unreadable.length > 0) return EXIT_USAGE;
  return view.answer === null ? 0 : 1;
}

/** The request as a client would send it: what has no place in a request line is encoded, a fragment stays at home. */
function readRequest(url: string, lines: readonly string[]): DecideRequest {
  const [, authority = '', target = ''] = /^(?:https?:\/\/)?([^/?#\s]+)([^#]*)/i.exec(url) ?? [];
  if (authority === '') throw new UsageError(`${JSON.stringify(url)} is not a URL; write it as http://host/path`);
  const sent = target.replaceAll(/[^\u0021-\u007e]+/gu, (text) => encodeURIComponent(text.toWellFormed()));
  const query = sent.indexOf('?');
  const path = query < 0 ? sent : sent.slice(0, query);
  const headers = lines.map(readHeader);
  const host = headers.find(([name]) => name.toLowerCase() === 'host')?.[1] ?? authority.slice(authority.lastIndexOf('@') + 1);
  return { host, path: path === '' ? '/' : path, query: query < 0 ? '' : sent.slice(query + 1), headers };
}

function readHeader(line: string): readonly [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(.*?)\s*$/s.exec(line) ?? [];
  if (name === undefined || value === undefined || /[\r\n\0]/.test(value))
    throw new UsageError(`${JSON.stringify(line)} is not a header; write it as 'Name: value'`);
  return [name, value];
}
