import type { BackendFeature, RouteFeature } from '../contract/feature.ts';
import { haptic } from './haptic.ts';
import { mse } from './mse.ts';
import { nginx } from './nginx.ts';
import { isCookiePath } from './values.ts';

const affinity: BackendFeature<'affinity'> = {
  level: 'backend',
  name: 'affinity',
  summary: 'Requests of one session reach the same endpoint, by a cookie.',
  failure: 'skip',
  readers: { nginx, mse, haptic },
  // The cookie's attributes are data of the route; only its name is structure of the backend.
  onRoute: ({ attributes }, { path, pathText }) => {
    if (attributes === undefined) return {};
    const own = path.type !== 'regex' && isCookiePath(pathText) ? pathText : '/';
    return { 'session-cookie': { ...attributes, path: attributes.path ?? own } };
  },
  onBackend({ attributes: _, ...policy }) {
    return policy;
  },
  /** `sticky`: production's sessions with a mark of their own. `legacy`: each request is decided anew, so no session begins here. */
  forCanary(production, own, { tag, sessions }) {
    if (sessions === 'legacy') return undefined;
    const policy = production ?? own;
    return policy === undefined ? undefined : { ...policy, side: `c${tag}` };
  },
  session: ({ cookie, side }) => ({ cookie, prefix: `${side}.` }),
};

/** Has no keys of its own: `affinity` gives each route the cookie's attributes. */
const sessionCookie: RouteFeature<'session-cookie'> = {
  level: 'route',
  name: 'session-cookie',
  summary: 'Path, lifetime and other attributes of the session cookie.',
  failure: 'skip',
  readers: {},
};

export const features = [affinity, sessionCookie] as const;
