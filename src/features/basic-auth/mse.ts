import { reader } from '../contract/reader.ts';
import * as keys from './keys.ts';
import type { BasicAuthPolicy } from './policy.ts';
import { requireUsers } from './users.ts';

/** What MSE shows where no realm is set. */
const REALM = 'MSE Gateway';

const closed = 'MSE leaves the routes open where type or Secret are missing or bad; here they are closed.';

export const mse = reader({
  dialect: 'mse',
  keys: {
    type: { ...keys.type, difference: closed },
    secret: { ...keys.secret, difference: closed },
    // Other words mean the default there, which opens nothing.
    form: { ...keys.form, onInvalid: 'default' },
    realm: { ...keys.realm, default: REALM },
  },
  toPolicy({ type, secret, form, realm }, context): BasicAuthPolicy | undefined {
    const users = requireUsers({ type, secret, form: form ?? 'auth-file' }, context);
    return users && { realm: realm === undefined || realm === '' ? REALM : realm, forward: false, users };
  },
});
