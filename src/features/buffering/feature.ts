import type { RouteFeature } from '../contract/feature.ts';
import { nginx } from './nginx.ts';

const buffering: RouteFeature<'buffering'> = {
  level: 'route',
  name: 'buffering',
  summary: 'Keys of nginx buffers, which have no counterpart here.',
  failure: 'skip',
  readers: { nginx },
};

export const features = [buffering] as const;
