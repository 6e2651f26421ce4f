import { quote } from '../../diagnostics/diagnostic.ts';
import type { HostMatch } from '../../model/model.ts';
import { type Parsed, parsed, problem } from '../contract/key.ts';
import { hostName } from '../values/network.ts';
import { regexProblem } from '../values/regex.ts';

/** Names that can be used, and those that can't with the reason as a clause. */
export interface Names {
  readonly hosts: readonly HostMatch[];
  readonly refused: readonly { readonly text: string; readonly problem: string }[];
}

const MOST_NAMES = 100;

type NameParser = (text: string) => readonly HostMatch[] | string;

/** Names as nginx's `server_name` takes them, separated by commas. */
export function nginxNames(text: string): Parsed<Names> {
  return nameList(text.split(','), nginxName);
}

/** Plain host names, separated by commas or blanks. */
export function plainNames(text: string): Parsed<Names> {
  return nameList(text.split(/[,\s]+/), (item) => {
    const name = hostName(item);
    return name.ok && !name.value.includes('_') ? [{ type: 'exact', name: name.value }] : 'is not a host name';
  });
}

/** A regular expression for the whole name. */
export function namePattern(text: string): Parsed<HostMatch> {
  const pattern = text
    .trim()
    .replace(/^\^/, '')
    .replace(/(?<!\\)\$$/, '');
  if (pattern === '') return problem('is empty');
  if (/\s/.test(pattern)) return problem('holds a blank');
  const refusal = regexProblem(pattern);
  return refusal === undefined ? parsed(regex(pattern)) : problem(refusal);
}

function nameList(items: readonly string[], parse: NameParser): Parsed<Names> {
  const hosts: HostMatch[] = [];
  const refused: { text: string; problem: string }[] = [];
  const given = items.map((item) => item.trim()).filter((item) => item !== '');
  if (given.length === 0) return problem('names nothing');
  if (given.length > MOST_NAMES) return problem(`lists more than ${MOST_NAMES} names`);
  for (const item of given) {
    const outcome = parse(item);
    if (typeof outcome === 'string') refused.push({ text: quote(item), problem: outcome });
    else hosts.push(...outcome);
  }
  return parsed({ hosts, refused });
}

function nginxName(item: string): readonly HostMatch[] | string {
  if (item.startsWith('~')) {
    const refusal = /\s/.test(item) ? 'holds a blank' : regexProblem(item.slice(1));
    return refusal ?? [regex(unanchored(item.slice(1)))];
  }
  const given = item.replace(/\.+$/, '');
  const suffix = /^\*\.(.+)$/.exec(given)?.[1] ?? /^\.(.+)$/.exec(given)?.[1];
  const name = hostName(suffix ?? given);
  if (!name.ok) return name.problem;
  if (suffix === undefined) return [{ type: 'exact', name: name.value }];
  // nginx's wildcard stands for any number of labels, a host's for one; `.name` is the name itself as well.
  const deeper: HostMatch = { type: 'regex', pattern: `[^.]+(?:\\.[^.]+)+\\.${name.value.replaceAll('.', '\\.')}` };
  const own: readonly HostMatch[] = item.startsWith('.') ? [{ type: 'exact', name: name.value }] : [];
  return [...own, { type: 'wildcard', suffix: name.value }, deeper];
}

/** nginx looks for the pattern anywhere in the name; a host's pattern holds for the whole of it. */
function unanchored(pattern: string): string {
  if (/[|]/.test(pattern)) return `.*(?:${pattern}).*`;
  const start = pattern.startsWith('^') ? pattern.slice(1) : `.*${pattern}`;
  return /(?<!\\)\$$/.test(start) ? start.slice(0, -1) : `${start}.*`;
}

/** Names are compared in lower case, so capitals of a pattern mean the same as small letters. */
function regex(pattern: string): HostMatch {
  return { type: 'regex', pattern: pattern.replaceAll(/\\.|[A-Z]/gs, (part) => (part.length === 1 ? part.toLowerCase() : part)) };
}
