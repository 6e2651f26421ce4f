import { diagnostic, type Diagnostic, quote } from '../diagnostics/diagnostic.ts';
import type { Canary } from '../model/model.ts';
import { originName } from '../model/origin.ts';
import type { BackendTable } from './backends.ts';
import type { MergedRoute } from './merge.ts';

/**
 * The canaries of one route, oldest first. Weights add up and are capped at the total of the oldest one;
 * a canary with another total, or one whose backend has no ready endpoint, is reported.
 */
export function attachCanaries(merged: MergedRoute, backends: BackendTable): { canaries: readonly Canary[]; diagnostics: readonly Diagnostic[] } {
  const canaries: Canary[] = [];
  const diagnostics: Diagnostic[] = [];
  let spent = 0;
  for (const { owner, route } of merged.canaries) {
    const { origin } = route.entry;
    const policy = owner.canary;
    if (policy === undefined || route.service === undefined) continue;
    const backend = backends.request(owner.ingress.metadata.namespace, route.service, owner.backendPolicies, origin);
    if (backend === undefined) continue;
    if (!backend.endpoints.some((endpoint) => endpoint.state === 'ready')) {
      diagnostics.push(diagnostic('CanaryEmpty', origin, `Service ${quote(`${backend.namespace}/${backend.service}`)} of this canary has no ready endpoint; its share goes to production.`));
      continue;
    }
    // Shares are compared as fractions, so canaries with different totals keep what each of them asked for.
    const share = policy.weight / policy.total;
    const granted = Math.min(share, Math.max(0, 1 - spent));
    if (granted < share) {
      const message = `The canaries of ${originName(merged.route.entry.origin)} together ask for more than everything; this one gets ${(granted * 100).toFixed(1)} %.`;
      diagnostics.push(diagnostic('CanaryConflict', origin, message));
    }
    spent += granted;
    const weight = granted < share ? Math.round(granted * policy.total) : policy.weight;
    canaries.push({ backend: backend.id, rules: policy.rules, weight, total: policy.total, origin });
  }
  return { canaries, diagnostics };
}
