import type { RouteFeature } from '../contract/feature.ts';
import { haptic, hapticAlias } from './haptic.ts';
import { nginx, nginxAlias } from './nginx.ts';
import { shapePath } from './shape.ts';

const path: RouteFeature<'path'> = {
  level: 'route',
  name: 'path',
  summary: 'How paths are matched: exactly, by prefix or by regular expression.',
  failure: 'skip',
  readers: { nginx, haptic },
  defaultPolicy: () => ({ as: 'written', caseSensitive: false }),
  shape: shapePath,
};

const hostAlias: RouteFeature<'host-alias'> = {
  level: 'route',
  name: 'host-alias',
  summary: 'More names for the hosts of an object.',
  failure: 'skip',
  readers: { nginx: nginxAlias, haptic: hapticAlias },
  aliases: (policy) => policy.hosts,
  shape: (_policy, draft) => {
    const { 'host-alias': _known, ...policies } = draft.policies;
    return [{ ...draft, policies }];
  },
};

export const features = [path, hostAlias] as const;
