import { key } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import { bool } from '../values/basic.ts';
import type { RewritePolicy } from './policy.ts';
import { nginxPrefix, nginxTarget } from './values.ts';

const target = key({
  name: 'rewrite-target',
  parse: nginxTarget,
  onInvalid: 'default',
  scope: 'ingress',
  value: 'path or URL; `$1` to `$9` are groups of the path',
  default: 'none: the path goes on as it came',
  summary:
    'Replaces the whole path and keeps the query; a URL answers 302 instead. Paths of the object are then regular expressions, as with `use-regex`; under MSE only those that look like one or are captured from, and of a plain prefix what follows it is kept.',
  difference:
    'Other objects of the host keep their own paths as they are; an Exact path without special characters stays exact; variables other than `$1` to `$9` are refused.',
});

const prefix = key({
  name: 'x-forwarded-prefix',
  parse: nginxPrefix,
  onInvalid: 'default',
  scope: 'ingress',
  value: 'path; `$1` to `$9` are groups of the path',
  default: 'none',
  summary: 'Sends X-Forwarded-Prefix to the endpoint where `rewrite-target` changes the path.',
  difference: 'Captured text is percent-encoded, so that a request can not add header lines.',
});

const log = key({
  name: 'enable-rewrite-log',
  parse: bool,
  onInvalid: 'default',
  scope: 'ingress',
  value: 'true or false',
  default: 'false',
  summary: 'Writes each rewrite to the error log of nginx.',
  status: { is: 'no-op', why: 'There is no log of single rewrites; `ramjet route` shows what becomes of a request.' },
});

/** A policy without `path` is dropped when it is shaped, unless shaping finds something to rewrite. */
export const nginx = reader({
  dialect: 'nginx',
  keys: { target, prefix, log },
  toPolicy({ target: to, prefix: header }, context): RewritePolicy | undefined {
    if (to === undefined) {
      if (header !== undefined)
        context.report('AnnotationIgnored', 'prefix', '`x-forwarded-prefix` has no effect without `rewrite-target`.');
      return undefined;
    }
    const path = { type: /^https?:/i.test(to) ? ('redirect' as const) : ('whole' as const), to };
    return { path, ...(header === undefined ? {} : { prefix: header }), shaping: context.compat };
  },
});
