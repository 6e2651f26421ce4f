import { diagnostic, type Diagnostic, quote } from '../diagnostics/diagnostic.ts';
import { hostKey } from '../model/identity.ts';
import { compareText, originName } from '../model/origin.ts';
import type { Translated, TranslatedRoute } from './translate.ts';

/** A path that won its place, with the canaries attached to it, oldest first. */
export interface MergedRoute {
  readonly owner: Translated;
  readonly route: TranslatedRoute;
  readonly canaries: readonly { readonly owner: Translated; readonly route: TranslatedRoute }[];
}

interface Slot {
  readonly owner: Translated;
  readonly route: TranslatedRoute;
  readonly canaries: { owner: Translated; route: TranslatedRoute }[];
}

interface Claim {
  readonly owner: Translated;
  readonly route: TranslatedRoute;
}

/**
 * Age decides: of several claims to one host and path the oldest object wins, a default backend gives way
 * to a written path, a derived route (alias, `www`) to both, and the loser is told who holds the claim.
 * Routes by their key, whose order is host, then path.
 */
export function mergeRoutes(translated: readonly Translated[]): {
  routes: ReadonlyMap<string, MergedRoute>;
  diagnostics: readonly Diagnostic[];
} {
  const ordered = [...translated].sort(byAge);
  const diagnostics: Diagnostic[] = [];
  const slots = new Map<string, Slot>();
  const defaults: Claim[] = [];
  const derived: Claim[] = [];
  for (const owner of ordered) {
    if (owner.canary !== undefined) continue;
    for (const route of owner.routes) {
      if (route.draft.derived) derived.push({ owner, route });
      else if (route.entry.isDefault) defaults.push({ owner, route });
      else {
        const holder = slots.get(route.key);
        if (holder === undefined) slots.set(route.key, { owner, route, canaries: [] });
        else diagnostics.push(conflict(route, holder));
      }
    }
  }
  const hosts = derived.length === 0 ? new Set<string>() : writtenHosts(ordered);
  const late = [...defaults, ...derived.filter(({ route }) => !isForeignHost(route, hosts))];
  for (const { owner, route } of late) if (!slots.has(route.key)) slots.set(route.key, { owner, route, canaries: [] });
  diagnostics.push(...attach(ordered, slots));
  return { routes: slots, diagnostics };
}

/**
 * Canaries meet production at an equal host and path, or where the author wrote the same host, path and
 * kind of path: a canary need not repeat what changes how its path is matched. A derived route is the same
 * route under another name and has its canaries.
 */
function attach(ordered: readonly Translated[], slots: ReadonlyMap<string, Slot>): readonly Diagnostic[] {
  const canaries = ordered.filter((owner) => owner.canary !== undefined);
  if (canaries.length === 0) return [];
  const diagnostics: Diagnostic[] = [];
  const own = [...slots.values()].filter((slot) => !slot.route.draft.derived);
  const byText = new Map(own.map((slot) => [textKey(slot.route), slot]));
  for (const owner of canaries) {
    for (const route of owner.routes) {
      const slot = slots.get(route.key) ?? byText.get(textKey(route));
      if (slot === undefined) diagnostics.push(orphan(route));
      else slot.canaries.push({ owner, route });
    }
  }
  const byEntry = new Map(own.map((slot) => [slot.route.entry, slot]));
  for (const slot of slots.values()) {
    if (slot.route.draft.derived) slot.canaries.push(...(byEntry.get(slot.route.entry)?.canaries ?? []));
  }
  return diagnostics;
}

/** An implementation-specific path counts as a prefix, as in ingress-nginx. */
function textKey({ draft }: TranslatedRoute): string {
  return `${draft.pathType === 'Exact' ? '=' : ''}${hostKey(draft.host)} ${draft.pathText}`;
}

/** Hosts that an object names in its rules. */
function writtenHosts(translated: readonly Translated[]): ReadonlySet<string> {
  const routes = translated.flatMap((owner) => (owner.canary === undefined ? owner.routes : []));
  return new Set(routes.filter((route) => !route.draft.derived).map((route) => hostKey(route.draft.host)));
}

/** A derived host (alias, `www`) gives way as a whole; a derived path stands beside the written ones of its own host. */
function isForeignHost({ draft, entry }: TranslatedRoute, written: ReadonlySet<string>): boolean {
  const host = hostKey(draft.host);
  return host !== hostKey(entry.draft.host) && written.has(host);
}

/** The older object first; equal ages by name. */
export function byAge(a: Translated, b: Translated): number {
  const left = a.ingress.metadata;
  const right = b.ingress.metadata;
  return left.createdAt - right.createdAt || compareText(left.namespace, right.namespace) || compareText(left.name, right.name);
}

function conflict(route: TranslatedRoute, holder: Slot): Diagnostic {
  const { draft } = route;
  const message = `${quote(hostKey(draft.host) + draft.pathText)} is already held by ${originName(holder.route.entry.origin)}; this path is not served.`;
  return diagnostic('RouteConflict', route.entry.origin, message);
}

function orphan(route: TranslatedRoute): Diagnostic {
  const { draft } = route;
  const message = `No production route holds ${quote(hostKey(draft.host) + draft.pathText)}; this canary path gets no request.`;
  return diagnostic('CanaryOrphan', route.entry.origin, message);
}
