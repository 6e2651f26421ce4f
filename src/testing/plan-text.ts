import { type Compiled, compile } from '../compiler/compile.ts';
import { COMPILE_DEFAULTS } from '../compiler/settings.ts';
import { registryOf } from '../features/contract/registry.ts';
import { FEATURE_DEFAULTS } from '../features/contract/settings.ts';
import { FEATURES } from '../features/features.generated.ts';
import { driverOf } from '../haproxy/driver.ts';
import { Planner } from '../haproxy/plan/build.ts';
import type { Plan } from '../haproxy/plan/plan.ts';
import { PLAN_DEFAULTS } from '../haproxy/plan/settings.ts';
import { Secret } from '../model/secret.ts';
import { snapshotOf } from '../objects/snapshot.ts';
import { readManifestText } from '../sources/manifests/read.ts';
import type { Case } from './cases.ts';

/** Compiles and plans a case without a data plane: the same on every machine. Services without endpoints get one at 192.0.2.1. */
export async function planText(one: Case): Promise<{ readonly compiled: Compiled; readonly plan: Plan }> {
  const read = readManifestText(one.manifests, 'case.yaml');
  const objects = read.objects.map((object) => {
    if (object.kind !== 'Service' || object.type === 'ExternalName') return object;
    const { annotations } = object.metadata;
    if (annotations['ramjet.dev/endpoints'] !== undefined || annotations['test/empty'] !== undefined) return object;
    return { ...object, metadata: { ...object.metadata, annotations: { ...annotations, 'ramjet.dev/endpoints': '192.0.2.1:80' } } };
  });
  const features = { ...FEATURE_DEFAULTS, ...one.settings?.features };
  const classes = { withoutClass: true, classNames: ['ramjet', 'nginx', 'haptic', 'mse', 'higress'] };
  const compiled = compile(
    snapshotOf(objects, read.diagnostics),
    { ...COMPILE_DEFAULTS, ...classes, features, ...one.settings?.compile },
    registryOf(FEATURES),
  );
  const planner = new Planner(await driverOf(), { ...PLAN_DEFAULTS, ...one.settings?.plan }, new Secret('fallback'));
  return { compiled, plan: planner.plan(compiled.model) };
}
