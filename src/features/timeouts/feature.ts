import type { BackendFeature, RouteFeature } from '../contract/feature.ts';
import { haptic, hapticConnect } from './haptic.ts';
import { mse } from './mse.ts';
import { nginx, nginxConnect } from './nginx.ts';

const timeouts: RouteFeature<'timeouts'> = {
  level: 'route',
  name: 'timeouts',
  summary: 'How long to wait for an answer and in a tunnel.',
  failure: 'skip',
  readers: { nginx, mse, haptic },
};

const connectTimeouts: BackendFeature<'connect-timeouts'> = {
  level: 'backend',
  name: 'connect-timeouts',
  summary: 'How long to wait for a connection to an endpoint.',
  failure: 'skip',
  readers: { nginx: nginxConnect, haptic: hapticConnect },
};

export const features = [timeouts, connectTimeouts] as const;
