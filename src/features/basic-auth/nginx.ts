import { reader } from '../contract/reader.ts';
import { form, realm, secret, type } from './keys.ts';
import type { BasicAuthPolicy } from './policy.ts';
import { requireUsers } from './users.ts';

/** ingress-nginx keeps the password from the backend. */
export const nginx = reader({
  dialect: 'nginx',
  keys: { type, secret, form, realm },
  toPolicy({ type, secret, form, realm }, context): BasicAuthPolicy | undefined {
    const users = requireUsers({ type, secret, form: form ?? 'auth-file' }, context);
    return users && { realm: realm ?? '', forward: false, users };
  },
});
