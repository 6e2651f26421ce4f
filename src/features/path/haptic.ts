import { key } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import { choice } from '../values/basic.ts';
import { namePattern, plainNames } from './names.ts';
import { unique } from './nginx.ts';
import type { HostAliasPolicy, PathPolicy } from './policy.ts';

const AS = { regex: 'pattern', exact: 'exact', prefix: 'segments', begin: 'begin' } as const;

const pathType = key({
  name: 'path-type',
  parse: choice(['regex', 'exact', 'prefix', 'begin']),
  onInvalid: 'default',
  scope: 'ingress',
  value: 'regex, exact, prefix or begin',
  default: 'begin',
  summary:
    'How ImplementationSpecific paths are matched: as a regular expression from the start of the path, exactly, by whole segments, or as a plain prefix.',
  difference: 'A regular expression and a prefix that both match are decided by length, not by kind.',
});

const hostAlias = key({
  name: 'host-alias',
  parse: plainNames,
  onInvalid: 'default',
  scope: 'host',
  value: 'host names, separated by commas or blanks',
  default: 'none',
  summary: 'More names for all hosts of the object; a host that an object defines itself wins over an alias.',
});

const hostAliasRegex = key({
  name: 'host-alias-regex',
  parse: namePattern,
  onInvalid: 'default',
  scope: 'host',
  value: 'regular expression for the whole host name',
  default: 'none',
  summary: 'More names for all hosts of the object, asked where neither a host nor a wildcard of that name exists.',
});

export const haptic = reader({
  dialect: 'haptic',
  keys: { pathType },
  toPolicy({ pathType: type }): PathPolicy {
    return { as: type === undefined ? 'written' : AS[type], caseSensitive: true };
  },
});

export const hapticAlias = reader({
  dialect: 'haptic',
  keys: { hostAlias, hostAliasRegex },
  toPolicy({ hostAlias: names, hostAliasRegex: pattern }, context): HostAliasPolicy | undefined {
    for (const { text, problem } of names?.refused ?? [])
      context.report('InvalidAnnotation', 'hostAlias', `\`host-alias\`: ${text} ${problem}; it is left out.`);
    const hosts = [...(names?.hosts ?? []), ...(pattern === undefined ? [] : [pattern])];
    return hosts.length === 0 ? undefined : { hosts: unique(hosts) };
  },
});
