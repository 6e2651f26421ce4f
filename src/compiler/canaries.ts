import { diagnostic, type Diagnostic, quote } from '../diagnostics/diagnostic.ts';
import type { CanaryPolicy, SessionMark } from '../features/contract/feature.ts';
import type { Registry } from '../features/contract/registry.ts';
import { shortDigest } from '../model/identity.ts';
import type { Canary, CanarySession } from '../model/model.ts';
import { originName } from '../model/origin.ts';
import type { BackendPolicies, RoutePolicies } from '../model/policies.ts';
import type { BackendTable } from './backends.ts';
import type { MergedRoute } from './merge.ts';
import type { Translated } from './translate.ts';

/**
 * The canaries of one route, oldest first. Weights add up as fractions of their own totals and are capped
 * at the whole; a canary whose backend has no ready endpoint leaves its share to production.
 */
export function attachCanaries(
  merged: MergedRoute,
  backends: BackendTable,
  registry: Registry,
): { canaries: readonly Canary[]; diagnostics: readonly Diagnostic[] } {
  if (merged.canaries.length === 0) return { canaries: [], diagnostics: [] };
  const canaries: Canary[] = [];
  const diagnostics: Diagnostic[] = [];
  const owners = new Set<Translated>();
  let spent = 0;
  for (const { owner, route } of merged.canaries) {
    const { origin } = route.entry;
    const policy = owner.canary;
    if (policy === undefined || route.service === undefined) continue;
    if (owners.has(owner)) {
      diagnostics.push(
        diagnostic(
          'CanaryConflict',
          origin,
          'This object already is a canary of the same route by another of its paths; this path is passed over.',
        ),
      );
      continue;
    }
    owners.add(owner);
    const policies = backendPolicies(merged.owner, owner, policy, registry);
    const backend = backends.request(
      owner.ingress.metadata.namespace,
      route.service,
      policies,
      origin,
      'the share of this canary goes to production',
    );
    if (backend === undefined) continue;
    if (!backend.endpoints.some((endpoint) => endpoint.state === 'ready')) {
      const message = `Service ${quote(`${backend.namespace}/${backend.service}`)} of this canary has no ready endpoint; its share goes to production.`;
      diagnostics.push(diagnostic('CanaryEmpty', origin, message));
      continue;
    }
    // Shares are compared as fractions, so canaries with different totals keep what each of them asked for.
    const share = policy.weight / policy.total;
    const granted = Math.min(share, Math.max(0, 1 - spent));
    const capped = share - granted > 1e-12;
    if (capped) {
      const message = `The canaries of ${originName(merged.route.entry.origin)} together ask for more than everything; this one gets ${Number((granted * 100).toFixed(4))} %.`;
      diagnostics.push(diagnostic('CanaryConflict', origin, message));
    }
    spent += granted;
    const weight = capped ? Math.round(granted * policy.total) : policy.weight;
    const session = sessionOf(merged.owner.backendPolicies, policies, registry);
    canaries.push({
      backend: backend.id,
      rules: policy.rules,
      weight,
      total: policy.total,
      ...(session === undefined ? {} : { session }),
      ...canaryPolicies(owner),
      origin,
    });
  }
  // A derived route says nothing that its own route has not said.
  return { canaries, diagnostics: merged.route.draft.derived ? [] : [...diagnostics, ...shadowed(canaries)] };
}

function canaryPolicies({ canaryPolicies: policies }: Translated): { readonly policies?: Partial<RoutePolicies> } {
  return policies === undefined || Object.keys(policies).length === 0 ? {} : { policies };
}

/** What the canary says about its own backend; where it says nothing, what production says. */
function backendPolicies(production: Translated, own: Translated, canary: CanaryPolicy, registry: Registry): Partial<BackendPolicies> {
  const policies: Partial<BackendPolicies> = { ...production.backendPolicies, ...own.backendPolicies };
  const { namespace, name } = own.ingress.metadata;
  const side = { tag: shortDigest(namespace, name).slice(0, 6), sessions: canary.sessions };
  for (const feature of registry.features) {
    if (feature.level !== 'backend' || feature.forCanary === undefined) continue;
    // Registry features are keyed by their own name, so both policies are of the feature's type.
    const policy = feature.forCanary(production.backendPolicies[feature.name] as never, own.backendPolicies[feature.name] as never, side);
    if (policy === undefined) delete policies[feature.name];
    else Object.assign(policies, { [feature.name]: policy });
  }
  return policies;
}

function sessionOf(production: Partial<BackendPolicies>, canary: Partial<BackendPolicies>, registry: Registry): CanarySession | undefined {
  const there = markOf(production, registry);
  const here = markOf(canary, registry);
  if (there === undefined || here === undefined || there.cookie !== here.cookie || there.prefix === here.prefix) return undefined;
  return { cookie: here.cookie, canary: here.prefix, production: there.prefix };
}

function markOf(policies: Partial<BackendPolicies>, registry: Registry): SessionMark | undefined {
  for (const feature of registry.features) {
    if (feature.level !== 'backend' || feature.session === undefined) continue;
    const policy = policies[feature.name];
    const mark = policy === undefined ? undefined : feature.session(policy as never);
    if (mark !== undefined) return mark;
  }
  return undefined;
}

/** A rule equal to one of an older canary can never decide: the older one has decided before. */
function shadowed(canaries: readonly Canary[]): readonly Diagnostic[] {
  const known = new Map<string, Canary>();
  const diagnostics: Diagnostic[] = [];
  for (const canary of canaries) {
    for (const rule of canary.rules) {
      const text = JSON.stringify(rule);
      const older = known.get(text);
      if (older === undefined) known.set(text, canary);
      else if (older !== canary) {
        const message = `The older ${originName(older.origin)} is a canary of the same route with the same rule; requests that match it go there.`;
        diagnostics.push(diagnostic('CanaryConflict', canary.origin, message));
        break;
      }
    }
  }
  return diagnostics;
}
