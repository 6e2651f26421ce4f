import { key } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import { seconds } from '../values/units.ts';
import type { TimeoutsPolicy } from './policy.ts';

/** MSE has one key, for the whole answer; Envoy's route timeout. */
export const mse = reader({
  dialect: 'mse',
  keys: {
    timeout: key({
      name: 'timeout',
      parse: seconds,
      onInvalid: 'default',
      scope: 'ingress',
      value: 'seconds',
      default: 'none',
      summary: 'Longest wait for the answer.',
      difference: 'MSE bounds the whole answer; HAProxy bounds each pause in it, so a long answer that keeps flowing is not cut.',
    }),
  },
  toPolicy({ timeout }): TimeoutsPolicy | undefined {
    return timeout === undefined ? undefined : { server: timeout };
  },
});
