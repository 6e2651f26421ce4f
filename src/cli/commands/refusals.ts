import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { driverOf } from '../../haproxy/driver.ts';
import { planFiles, writeFiles } from '../../haproxy/files/write.ts';
import { isolate } from '../../haproxy/isolate.ts';
import { Planner } from '../../haproxy/plan/build.ts';
import type { PlanSettings } from '../../haproxy/plan/settings.ts';
import { checkConfig } from '../../haproxy/process/check.ts';
import { systemSpawn } from '../../haproxy/process/spawn.ts';
import { systemClock } from '../../haproxy/runtime/clock.ts';
import type { Model } from '../../model/model.ts';
import { Secret } from '../../model/secret.ts';
import { selfSignedCertificate } from '../../tls/self-signed.ts';

const CHECK_TIMEOUT = 60_000;

/** Objects whose compiled form `haproxy -c` refuses. */
export async function refusedObjects(model: Model, settings: PlanSettings, binary: string): Promise<readonly Diagnostic[]> {
  const fallback = new Secret(selfSignedCertificate({ name: 'ramjet.invalid', now: new Date(), serial: randomBytes(16) }));
  const planner = new Planner(await driverOf(), settings, fallback);
  const file = join(settings.runDir, 'haproxy.cfg');
  const refusal = async (candidate: Model) => {
    await writeFiles(settings.runDir, planFiles(planner.plan(candidate), settings), new Map());
    const result = await checkConfig({ binary, file, spawn: systemSpawn, clock: systemClock, timeoutMs: CHECK_TIMEOUT });
    return result.ok ? undefined : result.error.detail;
  };
  const first = await refusal(model);
  return first === undefined ? [] : (await isolate(model, first, refusal)).rejected;
}
