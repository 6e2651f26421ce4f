import type { HostFeature, RouteFeature } from '../contract/feature.ts';
import { haptic } from './haptic.ts';
import { mse, mseHost } from './mse.ts';
import { nginx } from './nginx.ts';

const access: RouteFeature<'access'> = {
  level: 'route',
  name: 'access',
  summary: 'Which client addresses may use a route.',
  failure: 'close',
  readers: { nginx, mse, haptic },
  defaultPolicy: ({ allowlist, denylist }) =>
    allowlist.length + denylist.length === 0 ? undefined : { allow: allowlist, deny: denylist, fromSettings: true },
};

const hostAccess: HostFeature<'host-access'> = {
  level: 'host',
  name: 'host-access',
  summary: 'Which client addresses may use a host.',
  failure: 'close',
  readers: { mse: mseHost },
};

export const features = [access, hostAccess] as const;
