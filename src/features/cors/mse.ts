import { reader } from '../contract/reader.ts';
import { corsKeys, corsPolicy } from './keys.ts';
import type { CorsPolicy } from './policy.ts';

const headers = 'DNT,X-CustomHeader,Keep-Alive,User-Agent,X-Requested-With,If-Modified-Since,Cache-Control,Content-Type,Authorization';
const spelling = { enable: 'enable-cors', credentials: true, maxAge: 1_728_000, minAge: 0, headers, star: true };

/** As nginx, but: `*` tells each origin its own name, `*.` stands for several labels, and only a real preflight is answered. */
export const mse = reader({
  dialect: 'mse',
  keys: corsKeys(spelling),
  toPolicy: (values, context): CorsPolicy | undefined =>
    corsPolicy(values, spelling, { everybody: 'any', deep: true, preflight: 'strict' }, context),
});
