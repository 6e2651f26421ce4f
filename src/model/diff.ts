import { hostKey, pathKey } from './identity.ts';
import type { Backend, Model, Route } from './model.ts';
import { originName } from './origin.ts';

/** What changed from one model to the next, in words, for generations and the admin page. At most `limit` lines and one that counts the rest. */
export function diffModels(before: Model, after: Model, limit = 50): readonly string[] {
  const lines = [
    ...diffById(before.routes, after.routes, (route) => route.id, routeName, describeRouteChange),
    ...diffById(
      before.backends,
      after.backends,
      (backend) => backend.id,
      (backend) => `backend ${backend.id}`,
      describeBackendChange,
    ),
    ...diffById(
      before.certificates,
      after.certificates,
      (one) => one.id,
      (one) => `certificate ${one.id}`,
      (a, b) => (a.pem.equals(b.pem) ? [] : [`certificate ${b.id} was renewed`]),
    ),
  ];
  return lines.length <= limit ? lines : [...lines.slice(0, limit), `and ${lines.length - limit} more`];
}

/** What kept its identity did not change and is passed over at once. */
function diffById<T extends object>(
  before: readonly T[],
  after: readonly T[],
  id: (item: T) => string,
  name: (item: T) => string,
  change: (a: T, b: T) => readonly string[],
): readonly string[] {
  const [kept, wanted] = [new Set(before), new Set(after)];
  const gone = new Map(before.filter((item) => !wanted.has(item)).map((item) => [id(item), item]));
  const lines: string[] = [];
  for (const item of after) {
    if (kept.has(item)) continue;
    const known = gone.get(id(item));
    gone.delete(id(item));
    if (known === undefined) lines.push(`${name(item)} added`);
    else lines.push(...change(known, item));
  }
  for (const item of gone.values()) lines.push(`${name(item)} removed`);
  return lines;
}

function routeName(route: Route): string {
  return `route ${hostKey(route.host)}${pathText(route)} (${originName(route.origin)})`;
}

export function pathText(route: Route): string {
  const { path } = route;
  switch (path.type) {
    case 'exact':
      return `${path.path} exactly`;
    case 'segments':
      return `${path.path}/`;
    case 'prefix':
      return `${path.path}*`;
    case 'regex':
      return ` ~ ${path.pattern}`;
  }
}

function describeRouteChange(before: Route, after: Route): readonly string[] {
  const name = routeName(after);
  const lines: string[] = [];
  if (pathKey(before.path) !== pathKey(after.path)) lines.push(`${name}: path changed`);
  if (before.backend !== after.backend) lines.push(`${name}: backend ${before.backend ?? 'none'} → ${after.backend ?? 'none'}`);
  if ((before.closed === undefined) !== (after.closed === undefined))
    lines.push(`${name}: ${after.closed ? `closed with ${after.closed.status}` : 'opened again'}`);
  lines.push(...canaryLines(before, after, name));
  const names = [...new Set([...Object.keys(before.policies), ...Object.keys(after.policies)])];
  const policies: (route: Route) => Readonly<Record<string, unknown>> = (route) => ({ ...route.policies });
  const changed = names.filter((policy) => JSON.stringify(policies(before)[policy]) !== JSON.stringify(policies(after)[policy]));
  if (changed.length > 0) lines.push(`${name}: ${changed.join(', ')} changed`);
  return lines;
}

function canaryLines(before: Route, after: Route, name: string): readonly string[] {
  const lines: string[] = [];
  for (const canary of after.canaries) {
    const old = before.canaries.find((one) => one.backend === canary.backend);
    if (old === undefined) lines.push(`${name}: canary ${canary.backend} added at ${canary.weight}/${canary.total}`);
    else if (old.weight !== canary.weight || old.total !== canary.total)
      lines.push(`${name}: canary ${canary.backend} ${old.weight}/${old.total} → ${canary.weight}/${canary.total}`);
    else if (JSON.stringify(old.rules) !== JSON.stringify(canary.rules)) lines.push(`${name}: rules of canary ${canary.backend} changed`);
  }
  for (const old of before.canaries)
    if (!after.canaries.some((one) => one.backend === old.backend)) lines.push(`${name}: canary ${old.backend} removed`);
  return lines;
}

function describeBackendChange(before: Backend, after: Backend): readonly string[] {
  const lines = diffById(
    before.endpoints,
    after.endpoints,
    (one) => one.name,
    (one) => `endpoint ${one.name} of ${after.id}`,
    (a, b) => (a.state === b.state && a.address === b.address ? [] : [`endpoint ${b.name} of ${after.id} is ${b.state}`]),
  );
  return lines.length > 5 ? [`backend ${after.id}: ${lines.length} endpoint changes`] : lines;
}
