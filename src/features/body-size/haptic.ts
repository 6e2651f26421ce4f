import { key } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import type { BodySizePolicy } from './policy.ts';
import { bodySize, defaultPolicy, policyOf } from './values.ts';

export const haptic = reader({
  dialect: 'haptic',
  keys: {
    size: key({
      name: 'max-request-body-size',
      parse: bodySize,
      onInvalid: 'close',
      scope: 'ingress',
      value: 'bytes, or a number with k, m or g; 0 for no limit',
      default: 'the setting, 1m',
      summary: 'Largest request body; 413 above it.',
      difference: 'Without the key the setting holds for all objects, while HAPTIC has no limit then.',
    }),
  },
  toPolicy: ({ size }, { settings }): BodySizePolicy | undefined =>
    size === undefined ? defaultPolicy(settings) : policyOf(size, settings),
});
