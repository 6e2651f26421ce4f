import { reader } from '../contract/reader.ts';
import { allow, deny, oldAllow } from './keys.ts';
import type { AccessPolicy } from './policy.ts';
import { chooseSpelling, withSettings } from './sources.ts';

export const nginx = reader({
  dialect: 'nginx',
  keys: { allow, oldAllow, deny },
  toPolicy({ allow, oldAllow, deny }, context): AccessPolicy | undefined {
    return withSettings({ allow: chooseSpelling(allow, oldAllow, context), deny }, context.settings);
  },
});
