import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, report, round } from './lib/figure.ts';
import { load, writeScript } from './lib/load.ts';
import { cpuSeconds } from './lib/processes.ts';
import { nginxProxy, plainHaproxy, type Proxy, ramjetProxy, startUpstream } from './lib/proxies.ts';
import { writeSite } from './lib/site.ts';
import type { BenchOptions } from './lib/options.ts';

interface Samples {
  readonly cpu: number[];
  readonly p99: number[];
  readonly perSecond: number[];
}

/** CPU per request in microseconds and p99 of each proxy, one after the other in every round. */
export async function measureRounds(
  proxies: readonly Proxy[],
  script: string,
  options: BenchOptions,
): Promise<ReadonlyMap<string, Samples>> {
  const samples = new Map<string, Samples>(proxies.map((proxy) => [proxy.name, { cpu: [], p99: [], perSecond: [] }]));
  for (const proxy of proxies) await load(proxy.port, script, { seconds: 1, connections: 32 });
  for (let turn = 0; turn < options.rounds; turn += 1) {
    for (const proxy of proxies) {
      const before = cpuSeconds(proxy.pids());
      const result = await load(proxy.port, script, { seconds: options.quick ? 1 : 3, connections: 32 });
      const spent = cpuSeconds(proxy.pids()) - before;
      if (result.errors > 0) throw new Error(`${proxy.name} had ${result.errors} errors`);
      const sample = samples.get(proxy.name);
      sample?.cpu.push((spent * 1e6) / result.requests);
      sample?.p99.push(result.p99);
      sample?.perSecond.push(result.perSecond);
    }
  }
  return samples;
}

/** Ratios are medians of the ratios within a round, so a drifting machine cancels out. */
export function reportSamples(name: string, samples: ReadonlyMap<string, Samples>, subject: string): void {
  const own = samples.get(subject);
  if (own === undefined) return;
  for (const [against, other] of samples) {
    const ratio = (mine: readonly number[], theirs: readonly number[]) =>
      round(median(mine.map((value, index) => value / (theirs[index] ?? Number.NaN))));
    const rounds = own.cpu.length;
    if (against === subject) continue;
    report({
      name: `${name}/cpu-per-request`,
      value: round(median(own.cpu)),
      unit: 'us',
      against,
      ratio: ratio(own.cpu, other.cpu),
      rounds,
    });
    report({ name: `${name}/p99`, value: round(median(own.p99)), unit: 'ms', against, ratio: ratio(own.p99, other.p99), rounds });
    report({
      name: `${name}/requests-per-second`,
      value: round(median(own.perSecond), 5),
      unit: '1/s',
      against,
      ratio: ratio(own.perSecond, other.perSecond),
      rounds,
    });
  }
}

export async function requestCost(options: BenchOptions): Promise<void> {
  const sizes = options.quick ? [10, 1000] : [10, 1000, 10_000];
  for (const routes of sizes) {
    const directory = mkdtempSync(join(tmpdir(), 'ramjet-bench-'));
    const upstream = await startUpstream(directory);
    const site = writeSite(join(directory, 'site'), { routes, upstreamPort: upstream.port });
    const proxies = [
      await plainHaproxy(directory, upstream.port),
      await nginxProxy(directory, site, upstream.port),
      await ramjetProxy(directory, site),
    ];
    try {
      const samples = await measureRounds(proxies, writeScript(directory, site.targets), options);
      reportSamples(`request-cost/${routes}-routes`, samples, 'ramjet');
    } finally {
      await Promise.all([...proxies, upstream].map((proxy) => proxy.stop()));
      rmSync(directory, { recursive: true, force: true });
    }
  }
}
