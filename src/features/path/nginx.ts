import type { HostMatch } from '../../model/model.ts';
import { key } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import { bool } from '../values/basic.ts';
import { nginxNames } from './names.ts';
import type { HostAliasPolicy, PathPolicy } from './policy.ts';

const useRegex = key({
  name: 'use-regex',
  parse: bool,
  onInvalid: 'default',
  scope: 'ingress',
  value: 'true or false',
  default: 'false',
  summary:
    'Reads the paths of the object as regular expressions (PCRE2), matched from the start of the path; capitals don’t matter, but under MSE they do.',
  difference:
    'Other objects of the host keep their own paths as they are, where ingress-nginx turns all of them into regular expressions; an Exact path without special characters stays exact; alternatives are anchored as a whole; a pattern that would take very long counts as not matching.',
});

const serverAlias = key({
  name: 'server-alias',
  parse: nginxNames,
  onInvalid: 'default',
  scope: 'host',
  value: 'host names, comma separated; `*.name` and `~regex` too',
  default: 'none',
  summary: 'More names for all hosts of the object; a host that an object defines itself wins over an alias.',
  difference:
    'The aliases of all objects of a host count, not only those of the oldest; of two objects that claim one name the older has it, and the other is told.',
});

export const nginx = reader({
  dialect: 'nginx',
  keys: { useRegex },
  toPolicy({ useRegex: on }, { compat }): PathPolicy {
    return { as: on ? 'regex' : 'written', caseSensitive: compat === 'mse' };
  },
});

export const nginxAlias = reader({
  dialect: 'nginx',
  keys: { serverAlias },
  toPolicy({ serverAlias: names }, context): HostAliasPolicy | undefined {
    if (names === undefined) return undefined;
    for (const { text, problem } of names.refused)
      context.report('InvalidAnnotation', 'serverAlias', `\`server-alias\`: ${text} ${problem}; it is left out.`);
    return names.hosts.length === 0 ? undefined : { hosts: unique(names.hosts) };
  },
});

export function unique(hosts: readonly HostMatch[]): readonly HostMatch[] {
  return [...new Map(hosts.map((host) => [JSON.stringify(host), host])).values()];
}
