import type { RouteFeature } from '../contract/feature.ts';
import { haptic } from './haptic.ts';
import { nginx } from './nginx.ts';
import { shapeRewrite } from './shape.ts';

const rewrite: RouteFeature<'rewrite'> = {
  level: 'route',
  name: 'rewrite',
  summary: 'Which path the endpoint sees.',
  failure: 'skip',
  readers: { nginx, haptic },
  shape: shapeRewrite,
};

export const features = [rewrite] as const;
