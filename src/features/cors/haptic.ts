import { reader } from '../contract/reader.ts';
import { corsKeys, corsPolicy, HEADERS } from './keys.ts';
import type { CorsPolicy } from './policy.ts';

const spelling = { enable: 'cors-enable', credentials: false, maxAge: 86_400, minAge: 0, headers: HEADERS, star: true };

export const haptic = reader({
  dialect: 'haptic',
  keys: corsKeys(spelling),
  toPolicy: (values, context): CorsPolicy | undefined =>
    corsPolicy(values, spelling, { everybody: 'any', deep: false, preflight: 'options' }, context),
});
