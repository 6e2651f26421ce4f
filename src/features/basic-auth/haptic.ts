import { reader } from '../contract/reader.ts';
import * as keys from './keys.ts';
import type { BasicAuthPolicy } from './policy.ts';
import { requireUsers } from './users.ts';

const REALM = 'Restricted';

/** HAPTIC leaves the header in the request. */
export const haptic = reader({
  dialect: 'haptic',
  keys: { type: keys.type, secret: keys.secret, form: keys.form, realm: { ...keys.realm, default: REALM } },
  toPolicy({ type, secret, form, realm }, context): BasicAuthPolicy | undefined {
    const users = requireUsers({ type, secret, form: form ?? 'auth-file' }, context);
    return users && { realm: realm ?? REALM, forward: true, users };
  },
});
