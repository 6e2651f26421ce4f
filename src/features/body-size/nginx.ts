import { key } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import type { BodySizePolicy } from './policy.ts';
import { bodySize, defaultPolicy, policyOf } from './values.ts';

export const nginx = reader({
  dialect: 'nginx',
  keys: {
    size: key({
      name: 'proxy-body-size',
      parse: bodySize,
      onInvalid: 'default',
      scope: 'ingress',
      value: 'bytes, or a number with k, m or g; 0 for no limit',
      default: '1m',
      summary: 'Largest request body; 413 above it.',
      difference:
        'Bodies without a declared length are limited only where the setting `undeclaredBodies` says so: nginx buffers bodies, HAProxy streams them.',
    }),
  },
  toPolicy: ({ size }, { settings }): BodySizePolicy | undefined =>
    size === undefined ? defaultPolicy(settings) : policyOf(size, settings),
});
