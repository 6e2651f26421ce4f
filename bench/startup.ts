import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, report, round } from './lib/figure.ts';
import { commandOf, family, residentBytes } from './lib/processes.ts';
import { startRamjet } from './lib/ramjet.ts';
import { writeSite } from './lib/site.ts';
import type { BenchOptions } from './lib/options.ts';

/** Time from the start of the process to readiness, and memory of controller and data plane then. */
export async function startup(options: BenchOptions): Promise<void> {
  for (const ingresses of options.quick ? [1000] : [1000, 10_000]) {
    const directory = mkdtempSync(join(tmpdir(), 'ramjet-bench-'));
    // Two routes an Ingress, two Ingresses a Service.
    const site = writeSite(join(directory, 'site'), { routes: ingresses * 2, pathsPerHost: 2, services: ingresses / 2, upstreamPort: 9 });
    const ready: number[] = [];
    const controller: number[] = [];
    const haproxy: number[] = [];
    const rounds = options.quick ? 3 : options.rounds;
    for (let turn = 0; turn < rounds; turn += 1) {
      const ramjet = await startRamjet(directory, site.manifests);
      ready.push(ramjet.readyAfter);
      const pids = family(ramjet.pid);
      controller.push(residentBytes(ramjet.pid));
      haproxy.push(pids.filter((pid) => commandOf(pid).includes('haproxy')).reduce((sum, pid) => sum + residentBytes(pid), 0));
      await ramjet.stop();
    }
    const name = `startup/${ingresses}-ingresses`;
    report({ name: `${name}/ready`, value: round(median(ready), 4), unit: 'ms', rounds });
    report({ name: `${name}/controller-memory`, value: Math.round(median(controller) / 1e6), unit: 'MB', rounds });
    report({ name: `${name}/haproxy-memory`, value: Math.round(median(haproxy) / 1e6), unit: 'MB', rounds });
    rmSync(directory, { recursive: true, force: true });
  }
}
