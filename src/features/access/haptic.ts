import { key } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import type { AccessPolicy } from './policy.ts';
import { networkList, withSettings } from './sources.ts';

const list = { value: 'addresses or CIDRs, comma separated', scope: 'ingress', parse: networkList, onInvalid: 'close' } as const;

export const haptic = reader({
  dialect: 'haptic',
  keys: {
    allow: key({
      ...list,
      name: 'allowlist-source-range',
      default: 'everyone',
      summary: 'Only these clients may use the routes; others get 403.',
    }),
    deny: key({
      ...list,
      name: 'denylist-source-range',
      default: 'nobody',
      summary: 'These clients get 403, also where the allow list names them.',
    }),
  },
  toPolicy({ allow, deny }, context): AccessPolicy | undefined {
    return withSettings({ allow, deny }, context.settings);
  },
});
