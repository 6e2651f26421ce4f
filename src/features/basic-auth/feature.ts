import type { RouteDraft, RouteFeature, ShapeContext } from '../contract/feature.ts';
import { haptic } from './haptic.ts';
import { mse } from './mse.ts';
import { nginx } from './nginx.ts';
import type { BasicAuthPolicy } from './policy.ts';

/** ingress-nginx's default for `no-auth-locations`: certificate authorities come here without a password. */
const ACME = '/.well-known/acme-challenge';

const basicAuth: RouteFeature<'basic-auth'> = {
  level: 'route',
  name: 'basic-auth',
  summary: 'A password in front of a route.',
  failure: 'close',
  readers: { nginx, mse, haptic },
  shape,
};

/** Only a path that the object itself writes for the challenge is open, as in ingress-nginx; not a part of a wider one. */
function shape(_policy: BasicAuthPolicy, draft: RouteDraft, { dialect }: ShapeContext): readonly RouteDraft[] {
  const open = dialect === 'nginx' && draft.path.type !== 'regex' && (draft.path.path === ACME || draft.path.path.startsWith(`${ACME}/`));
  if (!open) return [draft];
  const { 'basic-auth': _dropped, ...policies } = draft.policies;
  return [{ ...draft, policies }];
}

export const features = [basicAuth] as const;
