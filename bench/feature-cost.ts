import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureRounds, reportSamples } from './request-cost.ts';
import { writeScript } from './lib/load.ts';
import { type Proxy, ramjetProxy, startUpstream } from './lib/proxies.ts';
import { ingressYaml, writeSite } from './lib/site.ts';
import type { BenchOptions } from './lib/options.ts';

const N = 'nginx.ingress.kubernetes.io';

/** Each feature on every route of 1,000, against the same site without it. */
const FEATURES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cors: { [`${N}/enable-cors`]: 'true' },
  limits: { [`${N}/limit-rps`]: '100000', [`${N}/limit-burst-multiplier`]: '10' },
  access: { [`${N}/allowlist-source-range`]: '127.0.0.0/8,10.0.0.0/8' },
  timeouts: { [`${N}/proxy-read-timeout`]: '30' },
  rewrite: { [`${N}/rewrite-target`]: '/new' },
  headers: { 'mse.ingress.kubernetes.io/request-header-control-update': 'X-Bench one' },
};

export async function featureCost(options: BenchOptions): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'ramjet-bench-'));
  const upstream = await startUpstream(directory);
  try {
    for (const [name, annotations] of Object.entries(FEATURES))
      await compare(name, directory, upstream, options, { annotations: () => annotations });
    await compare('canary-weight', directory, upstream, options, { canary: { [`${N}/canary-weight`]: '20' } });
    await compare('canary-header', directory, upstream, options, {
      canary: { [`${N}/canary-by-header`]: 'X-Canary', [`${N}/canary-weight`]: '20' },
    });
  } finally {
    await upstream.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Variant {
  annotations?(index: number): Readonly<Record<string, string>>;
  /** Annotations of a canary Ingress beside each Ingress. */
  readonly canary?: Readonly<Record<string, string>>;
}

async function compare(name: string, directory: string, upstream: Proxy, options: BenchOptions, variant: Variant): Promise<void> {
  const routes = 1000;
  const without = writeSite(join(directory, `${name}-without`), { routes, upstreamPort: upstream.port });
  const canaries =
    variant.canary === undefined
      ? undefined
      : without.hosts
          .map(({ host, paths }, index) => ingressYaml(`canary-${index}`, host, paths, { [`${N}/canary`]: 'true', ...variant.canary }))
          .join('---\n');
  const site = writeSite(join(directory, name), {
    routes,
    upstreamPort: upstream.port,
    ...(variant.annotations ? { annotations: variant.annotations } : {}),
    ...(canaries === undefined ? {} : { more: canaries }),
  });
  const proxies = [await ramjetProxy(directory, without, { name: 'without' }), await ramjetProxy(directory, site, { name: 'with' })];
  try {
    reportSamples(`feature-cost/${name}`, await measureRounds(proxies, writeScript(directory, site.targets), options), 'with');
  } finally {
    await Promise.all(proxies.map((proxy) => proxy.stop()));
  }
}
