import type { BackendFeature } from '../contract/feature.ts';
import { haptic } from './haptic.ts';
import { mse } from './mse.ts';
import { nginx } from './nginx.ts';

const backendProtocol: BackendFeature<'backend-protocol'> = {
  level: 'backend',
  name: 'backend-protocol',
  summary: 'HTTP/1.1, HTTP/2 or gRPC to the endpoints, in the clear or over TLS.',
  failure: 'close',
  readers: { nginx, mse, haptic },
};

export const features = [backendProtocol] as const;
