import { key } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import { allow, blacklist, deny, mseAllow } from './keys.ts';
import type { AccessPolicy } from './policy.ts';
import { chooseSpelling, networkList, networkListOrAll, withSettings } from './sources.ts';

/**
 * As nginx, with a third list that counts only alone. An allow list and `denylist-source-range` together
 * both count, denials first: the stricter reading where MSE's documents are silent.
 */
export const mse = reader({
  dialect: 'mse',
  keys: { allow, oldAllow: mseAllow, deny, blacklist },
  toPolicy({ allow, oldAllow, deny, blacklist }, context): AccessPolicy | undefined {
    const allowed = chooseSpelling(allow, oldAllow, context);
    const denied = deny ?? (allowed === undefined ? blacklist : undefined);
    if (blacklist !== undefined && denied !== blacklist)
      context.report(
        'AnnotationIgnored',
        'blacklist',
        '`blacklist-source-range` is not read beside `whitelist-source-range` or `denylist-source-range`.',
      );
    return withSettings({ allow: allowed, deny: denied }, context.settings);
  },
});

const hostList = {
  value: 'addresses or CIDRs, comma separated',
  scope: 'host',
  onInvalid: 'close',
  difference: 'MSE leaves bad entries out. A list with a bad entry closes every route of the hosts.',
} as const;

export const mseHost = reader({
  dialect: 'mse',
  keys: {
    allow: key({
      ...hostList,
      name: 'domain-whitelist-source-range',
      parse: networkListOrAll,
      default: 'everyone',
      summary: 'Only these clients may use the hosts of the object, on all routes without a list of their own.',
    }),
    deny: key({
      ...hostList,
      name: 'domain-blacklist-source-range',
      parse: networkList,
      default: 'nobody',
      summary: 'These clients get 403 on the hosts of the object; not read beside `domain-whitelist-source-range`.',
    }),
  },
  toPolicy({ allow, deny }, context): AccessPolicy | undefined {
    if (allow !== undefined && deny !== undefined)
      context.report('AnnotationIgnored', 'deny', '`domain-blacklist-source-range` is not read beside `domain-whitelist-source-range`.');
    if (allow !== undefined) return { allow, deny: [] };
    return deny === undefined ? undefined : { allow: [], deny };
  },
});
