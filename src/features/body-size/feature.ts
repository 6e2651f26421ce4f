import type { RouteFeature } from '../contract/feature.ts';
import { haptic } from './haptic.ts';
import { nginx } from './nginx.ts';
import { defaultPolicy } from './values.ts';

const bodySize: RouteFeature<'body-size'> = {
  level: 'route',
  name: 'body-size',
  summary: 'How large a request body may be.',
  failure: 'close',
  readers: { nginx, haptic },
  defaultPolicy,
};

export const features = [bodySize] as const;
