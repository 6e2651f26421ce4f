import { key } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import type { RewritePolicy } from './policy.ts';
import { hapticRewrite, plainPrefix } from './values.ts';

const rewrite = key({
  name: 'path-rewrite',
  parse: hapticRewrite,
  onInvalid: 'default',
  scope: 'ingress',
  value: 'regular expression and path, `\\1` to `\\9` are its groups; or a path alone',
  default: 'none: the path goes on as it came',
  summary: 'Replaces the whole path where the expression is found in it, and keeps the query; a path alone replaces every path.',
  difference: 'The expression sees the path decoded and without double slashes and dot segments, as routing does.',
});

const prefix = key({
  name: 'x-forwarded-prefix',
  parse: plainPrefix,
  onInvalid: 'default',
  scope: 'ingress',
  value: 'path',
  default: 'none',
  summary: 'Sends X-Forwarded-Prefix to the endpoint.',
});

export const haptic = reader({
  dialect: 'haptic',
  keys: { rewrite, prefix },
  toPolicy({ rewrite: path, prefix: header }): RewritePolicy | undefined {
    if (path === undefined && header === undefined) return undefined;
    return { ...(path === undefined ? {} : { path }), ...(header === undefined ? {} : { prefix: header }) };
  },
});
