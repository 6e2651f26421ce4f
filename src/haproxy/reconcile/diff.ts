import type { ReloadReason } from '../../model/applied.ts';
import type { Plan, PlanCertificate, PlanMap, PlanServer } from '../plan/plan.ts';

/** What HAProxy runs: the last plan, plus what is still loaded though no plan names it any more. */
export interface Running {
  readonly plan: Plan;
  /** Named defaults in the configuration that HAProxy loaded last. */
  readonly profiles: ReadonlySet<string>;
  /** On 3.2 a backend can't be deleted at run time: it stays, empty, until the next reload. */
  readonly emptied: ReadonlySet<string>;
}

export type Step =
  | { readonly op: 'add-backend'; readonly name: string; readonly profile: string }
  | { readonly op: 'add-server'; readonly backend: string; readonly server: PlanServer }
  | { readonly op: 'move-server'; readonly backend: string; readonly name: string; readonly address: string }
  | { readonly op: 'set-server-state'; readonly backend: string; readonly name: string; readonly state: 'ready' | 'drain' }
  | { readonly op: 'replace-map'; readonly map: PlanMap }
  | {
      readonly op: 'set-rows';
      readonly map: string;
      readonly add: readonly (readonly [string, string])[];
      readonly set: readonly (readonly [string, string])[];
    }
  | { readonly op: 'delete-rows'; readonly map: string; readonly keys: readonly string[] }
  | { readonly op: 'store-certificate'; readonly certificate: PlanCertificate }
  | { readonly op: 'list-certificate'; readonly certificate: PlanCertificate }
  | { readonly op: 'unlist-certificate'; readonly name: string; readonly names: readonly string[] }
  | { readonly op: 'delete-certificate'; readonly name: string }
  | { readonly op: 'remove-server'; readonly backend: string; readonly name: string }
  | { readonly op: 'remove-backend'; readonly name: string };

/** Either steps, or a reload with its reasons. */
export interface Reconciliation {
  readonly reload: readonly ReloadReason[];
  readonly steps: readonly Step[];
}

/** A whole new version of a map is cheaper than this many single commands. */
const MANY_ROWS = 256;

/** Tables whose rows name backends and flags: they change after the tables of features, which they lead to. */
const ROUTING_TABLES = new Set(['routes', 'wild', 'hosts', 'folded', 'regex']);

export function diffPlans(running: Running, next: Plan): Reconciliation {
  const reload = reloadReasons(running, next);
  if (reload.length > 0) return { reload, steps: [] };
  const before = running.plan;
  const maps = mapSteps(before, next);
  const certificates = certificateSteps(before, next);
  const servers = serverSteps(running, next);
  return {
    reload: [],
    steps: [
      ...servers.additions,
      ...certificates.additions,
      ...maps.changes,
      ...maps.deletions,
      ...certificates.removals,
      ...servers.removals,
    ],
  };
}

function reloadReasons(running: Running, next: Plan): readonly ReloadReason[] {
  const before = running.plan;
  const reasons: ReloadReason[] = [];
  const fresh = freshFeatures(before, next);
  const profile = [...next.structure.profiles.keys()].find((name) => !running.profiles.has(name));
  if (sectionsDiffer(before, next)) reasons.push(...(fresh.length > 0 ? fresh : [{ reason: 'structure', origin: undefined }]));
  // A feature with rules in every backend changes every profile: that is its first use and nothing else.
  else if (profile !== undefined)
    reasons.push(...(fresh.length > 0 ? fresh : [{ reason: 'new-profile', origin: next.structure.causes.get(`profile ${profile}`) }]));
  if (next.version === '3.2') {
    for (const [name, backend] of next.backends) {
      if (!before.backends.has(name) && !running.emptied.has(name)) reasons.push({ reason: 'new-backend', origin: backend.origin });
    }
  }
  for (const [name, file] of next.files)
    if (before.files.get(name)?.content !== file.content) reasons.push({ reason: 'files', origin: undefined });
  return uniqueReasons(reasons);
}

function sectionsDiffer(before: Plan, next: Plan): boolean {
  const [old, now] = [before, next].map((plan) => JSON.stringify([plan.structure.sections, [...plan.structure.lua]]));
  return old !== now;
}

function freshFeatures(before: Plan, next: Plan): readonly ReloadReason[] {
  const fresh = [...next.structure.causes].filter(([cause]) => cause.startsWith('feature ') && !before.structure.causes.has(cause));
  return fresh.map(([cause, origin]) => ({ reason: `first-use:${cause.replace('feature ', '')}`, origin }));
}

function uniqueReasons(reasons: readonly ReloadReason[]): readonly ReloadReason[] {
  return [...new Map([...reasons].reverse().map((reason) => [reason.reason, reason])).values()].reverse();
}

interface ServerSteps {
  readonly additions: readonly Step[];
  readonly removals: readonly Step[];
}

function serverSteps(running: Running, next: Plan): ServerSteps {
  const additions: Step[] = [];
  const removals: Step[] = [];
  const before = running.plan.backends;
  for (const [name, backend] of next.backends) {
    const old = before.get(name);
    if (old === backend) continue;
    if (old === undefined && !running.emptied.has(name)) additions.push({ op: 'add-backend', name, profile: backend.profile });
    const oldServers = old?.servers ?? new Map<string, PlanServer>();
    for (const server of backend.servers.values()) additions.push(...serverChange(name, oldServers.get(server.name), server));
    for (const server of oldServers.values())
      if (!backend.servers.has(server.name)) removals.push({ op: 'remove-server', backend: name, name: server.name });
  }
  for (const [name, backend] of before) {
    if (next.backends.has(name)) continue;
    for (const server of backend.servers.keys()) removals.push({ op: 'remove-server', backend: name, name: server });
    if (next.version !== '3.2') removals.push({ op: 'remove-backend', name });
  }
  return { additions, removals };
}

function serverChange(backend: string, old: PlanServer | undefined, server: PlanServer): readonly Step[] {
  if (old === undefined) return [{ op: 'add-server', backend, server }];
  if (old === server) return [];
  if (old.options.join(' ') !== server.options.join(' ')) {
    // Options are fixed when a server is made; the gap is this one endpoint's.
    return [
      { op: 'remove-server', backend, name: server.name },
      { op: 'add-server', backend, server },
    ];
  }
  const steps: Step[] = [];
  if (old.address !== server.address) steps.push({ op: 'move-server', backend, name: server.name, address: server.address });
  if (old.draining !== server.draining)
    steps.push({ op: 'set-server-state', backend, name: server.name, state: server.draining ? 'drain' : 'ready' });
  return steps;
}

interface MapSteps {
  readonly changes: readonly Step[];
  readonly deletions: readonly Step[];
}

function mapSteps(before: Plan, next: Plan): MapSteps {
  const changes: Step[] = [];
  const deletions: Step[] = [];
  const names = [...next.maps.keys()].sort((a, b) => Number(ROUTING_TABLES.has(a)) - Number(ROUTING_TABLES.has(b)));
  for (const name of names) {
    const map = next.maps.get(name);
    const old = before.maps.get(name);
    if (map === undefined || old === undefined) continue;
    const difference = diffEntries(old.entries, map.entries);
    const count = difference.add.length + difference.set.length + difference.remove.length;
    if (count === 0 && (map.match !== 'reg' || sameOrder(old, map))) continue;
    if (map.match === 'reg' || map.match === 'regm' || count > MANY_ROWS) {
      changes.push({ op: 'replace-map', map });
      continue;
    }
    if (difference.add.length + difference.set.length > 0)
      changes.push({ op: 'set-rows', map: name, add: difference.add, set: difference.set });
    if (difference.remove.length > 0) deletions.push({ op: 'delete-rows', map: name, keys: difference.remove });
  }
  return { changes, deletions };
}

function diffEntries(old: ReadonlyMap<string, string>, next: ReadonlyMap<string, string>) {
  const add: (readonly [string, string])[] = [];
  const set: (readonly [string, string])[] = [];
  const remove: string[] = [];
  for (const [key, value] of next) {
    const known = old.get(key);
    if (known === undefined) add.push([key, value]);
    else if (known !== value) set.push([key, value]);
  }
  if (next.size - add.length !== old.size) for (const key of old.keys()) if (!next.has(key)) remove.push(key);
  return { add, set, remove };
}

function sameOrder(old: PlanMap, next: PlanMap): boolean {
  const keys = [...old.entries.keys()];
  return [...next.entries.keys()].every((key, index) => keys[index] === key);
}

function certificateSteps(before: Plan, next: Plan): { readonly additions: readonly Step[]; readonly removals: readonly Step[] } {
  const additions: Step[] = [];
  const removals: Step[] = [];
  for (const [name, certificate] of next.certificates) {
    const old = before.certificates.get(name);
    if (old === undefined || !old.pem.equals(certificate.pem)) additions.push({ op: 'store-certificate', certificate });
    const sameNames = old !== undefined && old.names.join(' ') === certificate.names.join(' ');
    if (sameNames) continue;
    additions.push({ op: 'list-certificate', certificate });
    if (old !== undefined) removals.push({ op: 'unlist-certificate', name, names: old.names });
  }
  for (const [name, certificate] of before.certificates) {
    if (next.certificates.has(name)) continue;
    removals.push({ op: 'unlist-certificate', name, names: certificate.names }, { op: 'delete-certificate', name });
  }
  return { additions, removals };
}
