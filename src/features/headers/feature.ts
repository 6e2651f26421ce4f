import type { RouteDraft, RouteFeature } from '../contract/feature.ts';
import { haptic, hapticHsts, hapticRequestId, hapticRewrite, hapticSource } from './haptic.ts';
import { mse } from './mse.ts';
import { nginx, nginxRewrite } from './nginx.ts';
import type { HeadersPolicy } from './policy.ts';

const sourceAddress: RouteFeature<'source-address'> = {
  level: 'route',
  name: 'source-address',
  summary: 'The client address out of a header.',
  failure: 'close',
  readers: { haptic: hapticSource },
};

const headers: RouteFeature<'headers'> = {
  level: 'route',
  name: 'headers',
  summary: 'Headers that are set on requests and answers.',
  failure: 'skip',
  readers: { nginx, haptic },
  shape: (policy, draft) => [{ ...draft, policies: { ...draft.policies, headers: nameService(policy, draft) } }],
};

const headerControl: RouteFeature<'header-control'> = {
  level: 'route',
  name: 'header-control',
  summary: 'Headers that are added, set and removed towards the application, by production and canary each for itself.',
  failure: 'skip',
  readers: { mse },
  onCanary: 'own',
};

const hsts: RouteFeature<'hsts'> = {
  level: 'route',
  name: 'hsts',
  summary: 'Strict-Transport-Security.',
  failure: 'skip',
  readers: { haptic: hapticHsts },
};

const requestId: RouteFeature<'request-id'> = {
  level: 'route',
  name: 'request-id',
  summary: 'Identifiers of requests.',
  failure: 'skip',
  readers: { haptic: hapticRequestId },
};

const responseRewrite: RouteFeature<'response-rewrite'> = {
  level: 'route',
  name: 'response-rewrite',
  summary: 'Location and cookies of answers, rewritten.',
  failure: 'skip',
  readers: { nginx: nginxRewrite, haptic: hapticRewrite },
};

/** What nginx's `$service_name` and `$service_port` stand for on this path. */
function nameService(policy: HeadersPolicy, { service }: RouteDraft): HeadersPolicy {
  if (!policy.host?.includes('$')) return policy;
  const host = policy.host.replaceAll('$service_name', service?.name ?? '').replaceAll('$service_port', String(service?.port ?? ''));
  return { ...policy, host };
}

export const features = [sourceAddress, headers, headerControl, hsts, requestId, responseRewrite] as const;
