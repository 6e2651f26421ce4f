import type { BackendFeature } from '../contract/feature.ts';
import { haptic } from './haptic.ts';

const healthCheck: BackendFeature<'health-check'> = {
  level: 'backend',
  name: 'health-check',
  summary: 'Checks of endpoints by HAProxy itself, and by an agent beside them.',
  failure: 'skip',
  readers: { haptic },
};

export const features = [healthCheck] as const;
