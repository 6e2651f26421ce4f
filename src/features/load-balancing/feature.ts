import type { BackendFeature } from '../contract/feature.ts';
import { haptic, hapticLimits } from './haptic.ts';
import { mse, mseLimits } from './mse.ts';
import { nginx } from './nginx.ts';

const loadBalancing: BackendFeature<'load-balancing'> = {
  level: 'backend',
  name: 'load-balancing',
  summary: 'How an endpoint of a Service is picked: in turn, by load, at random, by a hash.',
  failure: 'skip',
  readers: { nginx, mse, haptic },
};

const endpointLimits: BackendFeature<'endpoint-limits'> = {
  level: 'backend',
  name: 'endpoint-limits',
  summary: 'Connections, queue, weight and warm-up of each endpoint.',
  failure: 'skip',
  readers: { mse: mseLimits, haptic: hapticLimits },
};

export const features = [loadBalancing, endpointLimits] as const;
