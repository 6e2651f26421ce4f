import { diagnostic, type Diagnostic, quote } from '../diagnostics/diagnostic.ts';
import type { Model } from '../model/model.ts';
import type { Origin } from '../model/origin.ts';

/** Why HAProxy refuses a model; `undefined`: it takes it. */
export type Attempt = (model: Model) => Promise<string | undefined>;

/**
 * Finds the objects that make HAProxy refuse a model, by halving: about `culprits × log2(objects)`
 * attempts. Everything else stays. A fault that no object explains leaves an empty model and an error
 * without an object, which would be Ramjet's own.
 */
export async function isolate(model: Model, refusal: string, attempt: Attempt): Promise<{ model: Model; rejected: readonly Diagnostic[] }> {
  const objects = [...new Map(model.routes.map((route) => [objectName(route.origin), route.origin])).values()];
  const culprits: { origin: Origin; refusal: string }[] = [];
  const without = (names: ReadonlySet<string>) => withoutObjects(model, names);
  const excluded = new Set<string>();
  let current: string | undefined = refusal;
  while (current !== undefined && excluded.size < objects.length) {
    const found = await findCulprit(
      objects.filter((origin) => !excluded.has(objectName(origin))),
      excluded,
      without,
      attempt,
    );
    if (found === undefined) break;
    culprits.push({ origin: found, refusal: current });
    excluded.add(objectName(found));
    current = await attempt(without(excluded));
  }
  if (current !== undefined) throw new Error(`HAProxy refuses the configuration whatever is left out: ${current}`);
  return { model: without(excluded), rejected: culprits.map(({ origin, refusal: why }) => rejection(origin, why)) };
}

/** The first object, in order, whose presence among its predecessors makes the model refused. */
async function findCulprit(
  objects: readonly Origin[],
  excluded: ReadonlySet<string>,
  without: (names: ReadonlySet<string>) => Model,
  attempt: Attempt,
): Promise<Origin | undefined> {
  let low = 0;
  let high = objects.length;
  // Invariant: the first `low` objects alone are taken, the first `high` are refused.
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const hidden = new Set([...excluded, ...objects.slice(middle).map(objectName)]);
    if ((await attempt(without(hidden))) === undefined) low = middle;
    else high = middle;
  }
  return objects[high - 1];
}

function withoutObjects(model: Model, names: ReadonlySet<string>): Model {
  const routes = model.routes
    .filter((route) => !names.has(objectName(route.origin)))
    .map((route) => {
      const canaries = route.canaries.filter((canary) => !names.has(objectName(canary.origin)));
      return canaries.length === route.canaries.length ? route : { ...route, canaries };
    });
  const used = new Set(routes.flatMap((route) => [route.backend, ...route.canaries.map((canary) => canary.backend)]));
  return { ...model, routes, backends: model.backends.filter((backend) => used.has(backend.id)) };
}

function objectName(origin: Origin): string {
  return `${origin.kind} ${origin.namespace}/${origin.name}`;
}

function rejection(origin: Origin, refusal: string): Diagnostic {
  const { kind, namespace, name, uid, file, line } = origin;
  const object: Origin = {
    kind,
    namespace,
    name,
    ...(uid === undefined ? {} : { uid }),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
  };
  return diagnostic(
    'RejectedByDataPlane',
    object,
    `HAProxy refused what this object compiles to (${quote(refusal, 200)}); it is left out.`,
  );
}
