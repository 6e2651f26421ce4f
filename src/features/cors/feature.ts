import type { RouteFeature } from '../contract/feature.ts';
import { haptic } from './haptic.ts';
import { mse } from './mse.ts';
import { nginx } from './nginx.ts';

const cors: RouteFeature<'cors'> = {
  level: 'route',
  name: 'cors',
  summary: 'Calls by pages of other sites.',
  failure: 'skip',
  readers: { nginx, mse, haptic },
};

export const features = [cors] as const;
