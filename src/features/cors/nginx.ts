import { reader } from '../contract/reader.ts';
import { corsKeys, corsPolicy, HEADERS } from './keys.ts';
import type { CorsPolicy } from './policy.ts';

const spelling = { enable: 'enable-cors', credentials: true, maxAge: 1_728_000, minAge: -2_147_483_647, headers: HEADERS, star: false };

export const nginx = reader({
  dialect: 'nginx',
  keys: corsKeys(spelling),
  toPolicy: (values, context): CorsPolicy | undefined =>
    corsPolicy(values, spelling, { everybody: 'star', deep: false, preflight: 'options' }, context),
});
