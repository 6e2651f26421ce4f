import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { type Compiled, compile } from '../../src/compiler/compile.ts';
import { COMPILE_DEFAULTS } from '../../src/compiler/settings.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { CATALOGUE } from '../../src/features/catalogue.ts';
import { registryOf } from '../../src/features/contract/registry.ts';
import { FEATURES } from '../../src/features/features.generated.ts';
import { driverOf } from '../../src/haproxy/driver.ts';
import type { HaproxyVersion } from '../../src/haproxy/feature.ts';
import { planFiles, writeFiles } from '../../src/haproxy/files/write.ts';
import { Planner } from '../../src/haproxy/plan/build.ts';
import { decide } from '../../src/model/decide.ts';
import { hostKey } from '../../src/model/identity.ts';
import type { Backend, Model, Route } from '../../src/model/model.ts';
import { Secret } from '../../src/model/secret.ts';
import type { Snapshot } from '../../src/objects/snapshot.ts';
import { FOLDER_DEFAULTS } from '../../src/settings/settings.ts';
import { parseManifests, readManifests } from '../../src/sources/manifests/read.ts';
import { TestDaemon } from '../../src/testing/daemon.ts';
import type { TestResponse } from '../../src/testing/client.ts';
import { EchoServer } from '../../src/testing/echo.ts';
import { haproxyBinary } from '../../src/testing/haproxy-binary.ts';
import { selfSigned } from '../../src/testing/self-signed.ts';
import { corpusFiles, corpusFolder } from '../../tools/corpus.ts';
import { requestsOf } from './sample-requests.ts';

/**
 * Manifests of public projects, which stand beside the checkout. Where they are missing this file has one
 * test, which says so.
 */
const folder = corpusFolder(fileURLToPath(new URL('../..', import.meta.url)));
const registry = registryOf(FEATURES, CATALOGUE);
const scratch = mkdtempSync(join(tmpdir(), 'ramjet-corpus-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

if (folder === undefined) {
  test('no corpus on this machine: nothing was served', () => {
    process.stdout.write('corpus.test.ts: there is no corpus on this machine (RAMJET_CORPUS names it)\n');
  });
} else {
  const files = corpusFiles(folder);
  const whole = readManifests({ paths: [folder] });

  describe('the corpus', () => {
    test('each file on its own compiles: no internal error, an origin on everything said', () => {
      for (const { name, text } of files) expectSound(compiledOf(parseManifests([{ file: name, text }])), name);
    });

    test('HAProxy 3.4 takes what each file compiles to', async () => {
      for (const { name, text } of files) {
        const { model } = compiledOf(parseManifests([{ file: name, text }]));
        if (model.routes.length > 0) expect(await refusal(model, '3.4'), name).toBe('');
      }
    });

    test.each(['3.4', '3.2'] as const)('HAProxy %s takes what the whole folder compiles to', async (version) => {
      const compiled = compiledOf(whole);
      expectSound(compiled, 'the whole folder');
      expect(await refusal(compiled.model, version)).toBe('');
    });

    test('the whole folder is served, and every host answers', async () => serveAll(folder, whole));
  });
}

function compiledOf(snapshot: Snapshot): Compiled {
  return compile(snapshot, FOLDER_DEFAULTS.compile, registry);
}

function expectSound({ diagnostics }: Compiled, name: string): void {
  expect(
    diagnostics.filter((one) => one.code === 'InternalError'),
    name,
  ).toEqual([]);
  expect(
    diagnostics.filter((one) => !hasOrigin(one)),
    name,
  ).toEqual([]);
}

/** Something to open: a file. The object in it has a name, as far as it could be read. */
function hasOrigin({ origin, message, hint }: Diagnostic): boolean {
  return origin.file !== undefined && origin.file !== '' && origin.kind !== '' && message !== '' && hint !== '';
}

/** What `haproxy -c` has against the plan of a model; empty: nothing. */
async function refusal(model: Model, version: HaproxyVersion): Promise<string> {
  const settings = {
    ...FOLDER_DEFAULTS.plan,
    version,
    runDir: scratch,
    listeners: { ...FOLDER_DEFAULTS.plan.listeners, http: ['127.0.0.1:1'], https: ['127.0.0.1:2'] },
  };
  const plan = new Planner(await driverOf(), settings, new Secret(selfSigned())).plan(model);
  await writeFiles(scratch, planFiles(plan, settings), new Map());
  try {
    execFileSync(haproxyBinary(version), ['-c', '-f', join(scratch, 'haproxy.cfg')], { stdio: 'pipe' });
    return '';
  } catch (error) {
    return error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  }
}

/** The daemon as `ramjet serve` runs it, with an echo endpoint behind every Service that the folder names. */
async function serveAll(corpus: string, snapshot: Snapshot): Promise<void> {
  const services = await echoServices(snapshot);
  writeFileSync(join(scratch, 'services.json'), services.manifest);
  const daemon = await TestDaemon.start(
    {},
    { settings: { manifests: [corpus, join(scratch, 'services.json')], compile: { ...COMPILE_DEFAULTS, ...FOLDER_DEFAULTS.compile } } },
  );
  try {
    const { model, diagnostics } = daemon.daemon.controller.state;
    if (model === undefined) throw new Error('nothing is served');
    expect(diagnostics.filter((one) => one.code === 'InternalError' || one.code === 'RejectedByDataPlane')).toEqual([]);
    const answered = new Set<string>();
    const wrong: string[] = [];
    let asked = 0;
    for (const route of model.routes) {
      for (const { host, path } of requestsOf(route, model)) {
        asked += 1;
        const response = await daemon.get(`http://${host}${path}`);
        const problem = verdict(model, { host, path }, response);
        if (problem === undefined) answered.add(hostKey(route.host));
        else wrong.push(`http://${host}${path}: ${problem}`);
      }
    }
    const hosts = new Set(model.routes.map((route) => hostKey(route.host)));
    process.stdout.write(`corpus: ${asked} of ${model.routes.length} routes asked, ${answered.size} of ${hosts.size} hosts answered\n`);
    expect(wrong).toEqual([]);
    expect([...hosts].filter((host) => !answered.has(host))).toEqual([]);
  } finally {
    await daemon.stop();
    await Promise.all(services.echoes.map((echo) => echo.stop()));
  }
}

/**
 * What is wrong with an answer, going by the model: a route's request must come from one of its backends, or be
 * answered for a reason that stands in the model. 404 is never right: no endpoint here says it.
 */
function verdict(model: Model, request: { readonly host: string; readonly path: string }, response: TestResponse): string | undefined {
  const { status } = response;
  const { route, shares } = decide(model, { ...request, query: '', headers: [] });
  if (route === undefined) return `no route of the model, ${status}`;
  const backends = shares.flatMap(({ backend }) => model.backends.find((one) => one.id === backend) ?? []);
  if (status === 200) return answeredBy(response, backends) ? undefined : `answered by ${response.body.slice(0, 200)}`;
  return ownAnswers(route, backends).includes(status)
    ? undefined
    : `${status}, expected one of ${[200, ...ownAnswers(route, backends)].join(', ')}`;
}

function answeredBy({ body }: TestResponse, backends: readonly Backend[]): boolean {
  const { service } = JSON.parse(body) as { service: string };
  return backends.some((backend) => `${backend.namespace}/${backend.service}` === service);
}

/** Statuses that Ramjet itself may answer on a route, by what the model says of it. */
function ownAnswers({ closed, policies, backend }: Route, backends: readonly Backend[]): readonly number[] {
  if (closed !== undefined) return [closed.status];
  const has = (name: string) => name in policies;
  return [
    ...(has('https-redirect') || has('redirects') || has('httpsRedirect') ? [301, 302, 303, 307, 308] : []),
    ...(has('basic-auth') || has('basicAuth') ? [401] : []),
    ...(has('access') || has('host-access') ? [403] : []),
    ...(has('limits') ? [429, 503] : []),
    // The echo endpoint speaks plain HTTP/1.1 only: a handshake or HTTP/2 with it fails.
    ...(backends.some((one) => 'backend-protocol' in one.policies) ? [502, 503] : []),
    ...(backend === undefined || backends.every((one) => one.endpoints.length === 0) ? [503] : []),
  ];
}

interface EchoServices {
  readonly manifest: string;
  readonly echoes: readonly EchoServer[];
}

/** A Service for each that an Ingress names, with the ports it is asked for by. */
async function echoServices(snapshot: Snapshot): Promise<EchoServices> {
  const ports = new Map<string, Map<string | number, number>>();
  for (const ingress of snapshot.ingresses) {
    const backends = [ingress.spec.defaultBackend, ...ingress.spec.rules.flatMap((rule) => rule.paths.map((path) => path.backend))];
    for (const backend of backends) {
      if (backend === undefined || !('service' in backend)) continue;
      const key = `${ingress.metadata.namespace}/${backend.service.name}`;
      const asked = ports.get(key) ?? new Map<string | number, number>();
      const { port } = backend.service;
      asked.set(port, typeof port === 'number' ? port : 60_000 + asked.size);
      ports.set(key, asked);
    }
  }
  const echoes: EchoServer[] = [];
  const documents: string[] = [];
  for (const [key, asked] of ports) {
    const echo = new EchoServer(key);
    echoes.push(echo);
    const [namespace, name] = key.split('/');
    const endpoints = `127.0.0.1:${await echo.start()}`;
    const list = [...asked].map(([port, number], index) => ({ name: typeof port === 'number' ? `port-${index}` : port, port: number }));
    documents.push(
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { namespace, name, annotations: { 'ramjet.dev/endpoints': endpoints } },
        spec: { ports: list },
      }),
    );
  }
  return { manifest: documents.join('\n---\n'), echoes };
}
