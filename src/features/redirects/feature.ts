import type { RouteFeature } from '../contract/feature.ts';
import { hapticHttps, hapticRedirects } from './haptic.ts';
import { mseHttps, mseRedirects } from './mse.ts';
import { defaultHttps, nginxHttps, nginxRedirects } from './nginx.ts';
import { shapeHttps, shapeRedirects } from './shape.ts';

const httpsRedirect: RouteFeature<'https-redirect'> = {
  level: 'route',
  name: 'https-redirect',
  summary: 'Redirect from plain http to https.',
  failure: 'skip',
  readers: { nginx: nginxHttps, mse: mseHttps, haptic: hapticHttps },
  defaultPolicy: (settings, compat) => (settings.sslRedirect && compat === 'nginx' ? defaultHttps(settings) : undefined),
  shape: shapeHttps,
};

const redirects: RouteFeature<'redirects'> = {
  level: 'route',
  name: 'redirects',
  summary: 'Redirects to other URLs: whole paths, the root, and between www and the bare name.',
  failure: 'skip',
  readers: { nginx: nginxRedirects, mse: mseRedirects, haptic: hapticRedirects },
  shape: shapeRedirects,
};

/** The redirect to https comes first: the others lead straight to https where it applies. */
export const features = [httpsRedirect, redirects] as const;
