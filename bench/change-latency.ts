import { mkdtempSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { quantile, report, round } from './lib/figure.ts';
import { type RunningRamjet, startRamjet } from './lib/ramjet.ts';
import { ingressYaml, serviceYaml, writeSite } from './lib/site.ts';
import type { BenchOptions } from './lib/options.ts';

const N = 'nginx.ingress.kubernetes.io';
const HOST = 'change.bench.example';

interface Backend {
  readonly port: number;
  readonly server: Server;
}

function backend(name: string): Promise<Backend> {
  return new Promise((resolve) => {
    const server = createServer((_, response) => response.end(name)).listen(0, '127.0.0.1', () =>
      resolve({ port: (server.address() as AddressInfo).port, server }),
    );
  });
}

/** Writes a file as an editor does: whole, by rename. */
function put(directory: string, name: string, text: string): void {
  writeFileSync(join(directory, `.${name}`), text);
  renameSync(join(directory, `.${name}`), join(directory, name));
}

/** An endpoint that goes may still answer beside the one that comes: only this many right answers in a row are believed. */
const IN_A_ROW = 8;

/** Milliseconds from the change of the file to the first of the right answers that stay right. */
async function until(
  pool: Pool,
  change: () => void,
  host: string,
  path: string,
  right: (status: number, body: string) => boolean,
): Promise<number> {
  const began = performance.now();
  change();
  let first = 0;
  for (let inARow = 0; inARow < IN_A_ROW; ) {
    const response = await pool.request({ method: 'GET', path, headers: { host } });
    const body = await response.body.text();
    if (right(response.statusCode, body)) {
      if (inARow === 0) first = performance.now() - began;
      inARow += 1;
    } else inARow = 0;
    if (performance.now() - began > 20_000) throw new Error(`no right answer for ${host}${path}: ${response.statusCode} ${body}`);
  }
  return first;
}

/** From a changed file to the first right answer, at 1,000 and 10,000 Ingresses. */
export async function changeLatency(options: BenchOptions): Promise<void> {
  for (const ingresses of options.quick ? [1000] : [1000, 10_000]) {
    const directory = mkdtempSync(join(tmpdir(), 'ramjet-bench-'));
    const [a, b] = await Promise.all([backend('a'), backend('b')]);
    const site = writeSite(join(directory, 'site'), {
      routes: ingresses * 2,
      pathsPerHost: 2,
      services: ingresses / 2,
      upstreamPort: a.port,
    });
    const one = (service: string) => [{ path: '/', service }];
    put(site.manifests, 'a.yaml', serviceYaml('a', a.port));
    put(site.manifests, 'b.yaml', serviceYaml('b', b.port));
    put(site.manifests, 'change.yaml', ingressYaml('change', HOST, one('a'), {}));
    const canary = (weight: number) =>
      put(
        site.manifests,
        'canary.yaml',
        ingressYaml('canary', HOST, one('b'), { [`${N}/canary`]: 'true', [`${N}/canary-weight`]: String(weight) }),
      );
    canary(0);
    const ramjet = await startRamjet(directory, site.manifests);
    try {
      await measure(ingresses, site.manifests, ramjet, { a, b, canary }, options);
    } finally {
      await ramjet.stop();
      for (const { server } of [a, b]) {
        server.closeAllConnections();
        server.close();
      }
      rmSync(directory, { recursive: true, force: true });
    }
  }
}

interface Parts {
  readonly a: Backend;
  readonly b: Backend;
  canary(weight: number): void;
}

async function measure(ingresses: number, directory: string, ramjet: RunningRamjet, parts: Parts, options: BenchOptions): Promise<void> {
  const pool = new Pool(`http://127.0.0.1:${ramjet.port}`, { connections: 1 });
  const times = options.quick ? 20 : 100;
  const sample = async (name: string, work: (turn: number) => Promise<number>) => {
    const values: number[] = [];
    for (let turn = 0; turn < times; turn += 1) values.push(await work(turn));
    for (const [label, q] of [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const)
      report({
        name: `change-latency/${ingresses}-ingresses/${name}/${label}`,
        value: round(quantile(values, q)),
        unit: 'ms',
        rounds: times,
      });
  };
  const { a, b, canary } = parts;
  await sample('weight', (turn) =>
    until(
      pool,
      () => canary(turn % 2 === 0 ? 100 : 0),
      HOST,
      '/',
      (_, body) => body === (turn % 2 === 0 ? 'b' : 'a'),
    ),
  );
  canary(0);
  await until(
    pool,
    () => {},
    HOST,
    '/',
    (_, body) => body === 'a',
  );
  await sample('endpoint', (turn) =>
    until(
      pool,
      () => put(directory, 'a.yaml', serviceYaml('a', turn % 2 === 0 ? b.port : a.port)),
      HOST,
      '/',
      (_, body) => body === (turn % 2 === 0 ? 'b' : 'a'),
    ),
  );
  const host = (turn: number) => `new-${turn}.bench.example`;
  await sample('new-ingress', (turn) =>
    until(
      pool,
      () => put(directory, `new-${turn}.yaml`, ingressYaml(`new-${turn}`, host(turn), [{ path: '/', service: 'b' }], {})),
      host(turn),
      '/',
      (status) => status === 200,
    ),
  );
  await sample('removed-ingress', (turn) =>
    until(
      pool,
      () => unlinkSync(join(directory, `new-${turn}.yaml`)),
      host(turn),
      '/',
      (status) => status === 404,
    ),
  );
  await sample('new-service', (turn) => {
    const text = `${serviceYaml(`fresh-${turn}`, b.port)}---\n${ingressYaml(`fresh-${turn}`, `fresh-${turn}.bench.example`, [{ path: '/', service: `fresh-${turn}` }], {})}`;
    return until(
      pool,
      () => put(directory, `fresh-${turn}.yaml`, text),
      `fresh-${turn}.bench.example`,
      '/',
      (status) => status === 200,
    );
  });
  await pool.destroy();
}
