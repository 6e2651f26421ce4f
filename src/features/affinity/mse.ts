import { key } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import { nginxKeys, policyOf } from './nginx.ts';
import type { AffinityPolicy } from './policy.ts';

/** In MSE the name or the path of the cookie is enough, the path is `/`, and Expires is another word for Max-Age. */
const mseKeys = {
  ...nginxKeys,
  path: key({ ...nginxKeys.path, default: '/' }),
  expires: key({ ...nginxKeys.expires, summary: 'Adds Max-Age where session-cookie-max-age does not.' }),
} as const;

export const mse = reader({
  dialect: 'mse',
  keys: mseKeys,
  toPolicy(values, context): AffinityPolicy | undefined {
    const on = values.affinity !== undefined || values.name !== undefined || values.path !== undefined;
    if (!on) return undefined;
    const policy = policyOf(values, context);
    const { expires, maxAge, ...attributes } = policy.attributes;
    // A negative lifetime is a session cookie.
    const age = [maxAge, expires].find((seconds) => seconds !== undefined && seconds >= 0);
    return { ...policy, attributes: { ...attributes, path: values.path ?? '/', ...(age === undefined ? {} : { maxAge: age }) } };
  },
});
