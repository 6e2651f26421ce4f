import type { RouteFeature } from '../contract/feature.ts';
import { hapticBandwidth, nginxBandwidth } from './bandwidth.ts';
import { haptic } from './haptic.ts';
import { mse } from './mse.ts';
import { nginx } from './nginx.ts';

const limits: RouteFeature<'limits'> = {
  level: 'route',
  name: 'limits',
  summary: 'How many requests a client may send.',
  failure: 'close',
  readers: { nginx, mse, haptic },
};

const bandwidth: RouteFeature<'bandwidth'> = {
  level: 'route',
  name: 'bandwidth',
  summary: 'How fast bodies flow.',
  failure: 'close',
  readers: { nginx: nginxBandwidth, haptic: hapticBandwidth },
};

export const features = [limits, bandwidth] as const;
