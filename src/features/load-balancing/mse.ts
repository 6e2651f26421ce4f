import { key, type Parsed, parsed } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import { integer } from '../values/basic.ts';
import { mseHashKey, nginxHashKey } from './hash-key.ts';
import { type Algorithm, nginxKeys, policyOf } from './nginx.ts';
import type { EndpointLimitsPolicy, LoadBalancingPolicy } from './policy.ts';

/** MSE means one variable with the header's name as written; where that can't be read, the text may still be nginx's. */
const mseKeys = {
  ...nginxKeys,
  algorithm: key({
    ...nginxKeys.algorithm,
    parse: (text): Parsed<Algorithm> =>
      /^\s*ewma\s*$/i.test(text) ? parsed('round-robin', 'is round_robin in MSE') : nginxKeys.algorithm.parse(text),
  }),
  hash: key({
    ...nginxKeys.hash,
    parse: (text) => {
      const own = mseHashKey(text);
      return own.ok ? own : nginxHashKey(text);
    },
  }),
} as const;

export const mse = reader({
  dialect: 'mse',
  keys: mseKeys,
  toPolicy: (values, context): LoadBalancingPolicy | undefined => policyOf(values, context),
});

export const mseLimits = reader({
  dialect: 'mse',
  keys: {
    warmup: key({
      name: 'warmup',
      parse: integer({ min: 1, max: 86_400 }),
      onInvalid: 'default',
      scope: 'backend',
      value: 'seconds',
      default: 'off',
      summary: 'A new endpoint’s share grows to its full size over this time.',
      difference: 'Endpoints that are there when a process starts or reloads have their full share at once.',
    }),
  },
  toPolicy: ({ warmup }): EndpointLimitsPolicy | undefined => (warmup === undefined ? undefined : { warmup }),
});
