import type { CanaryFeature } from '../contract/feature.ts';
import { haptic } from './haptic.ts';
import { mse } from './mse.ts';
import { nginx } from './nginx.ts';
import './policy.ts';

const canary: CanaryFeature = {
  level: 'canary',
  name: 'canary',
  summary: 'A share of a route’s requests for a new version: by header, cookie, query or weight.',
  failure: 'skip',
  readers: { nginx, mse, haptic },
};

export const features = [canary] as const;
