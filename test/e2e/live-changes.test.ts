import { connect } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import type { Echo } from '../../src/testing/echo.ts';
import type { TestResponse } from '../../src/testing/client.ts';
import { ingressYaml, serviceYaml, TestDaemon, tlsSecretYaml } from '../../src/testing/daemon.ts';
import { selfSigned } from '../../src/testing/self-signed.ts';

const N = 'nginx.ingress.kubernetes.io';
const running: TestDaemon[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
});

async function start(version: '3.2' | '3.4', files: Readonly<Record<string, string>>): Promise<TestDaemon> {
  const daemon = await TestDaemon.start(files, { version });
  running.push(daemon);
  return daemon;
}

function servedBy(name: string): (response: TestResponse) => boolean {
  return (response) => response.status === 200 && (JSON.parse(response.body) as Echo).service === name;
}

/** An answer can be right a moment before the change is written down. */
async function reloads(daemon: TestDaemon): Promise<readonly string[]> {
  await new Promise((resolve) => setTimeout(resolve, 300));
  const text = String(await daemon.admin('metrics'));
  return [...text.matchAll(/^ramjet_reloads_total\{reason="([^"]+)"\} (\d+)/gm)].map(([, reason, count]) => `${reason}=${count}`);
}

function commonName(port: number, servername: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

describe.each(['3.4', '3.2'] as const)('HAProxy %s', (version) => {
  test('weights, endpoints, routes and certificates change without a reload', async () => {
    const daemon = await start(version, {});
    const [stable, canary, other] = await Promise.all([daemon.echo('stable'), daemon.echo('canary'), daemon.echo('other')]);
    daemon.write('services.yaml', `${serviceYaml('stable', stable.port)}---\n${serviceYaml('canary', canary.port)}`);
    const split = (weight: number) =>
      ingressYaml('canary', 'shop.example', 'canary', { [`${N}/canary`]: 'true', [`${N}/canary-weight`]: String(weight) });
    daemon.write('shop.yaml', ingressYaml('shop', 'shop.example', 'stable', { [`${N}/ssl-redirect`]: 'false' }, 'shop-tls'));
    daemon.write('canary.yaml', split(0));
    daemon.write('secret.yaml', tlsSecretYaml('shop-tls', selfSigned('one.example', ['shop.example'])));
    await daemon.until('http://shop.example/', servedBy('stable'));
    await expect.poll(() => commonName(daemon.ports.https, 'shop.example')).toBe('one.example');
    const before = await reloads(daemon);

    daemon.write('canary.yaml', split(100));
    await daemon.until('http://shop.example/', servedBy('canary'));
    daemon.write('canary.yaml', split(0));
    await daemon.until('http://shop.example/', servedBy('stable'));
    daemon.write('services.yaml', `${serviceYaml('stable', other.port)}---\n${serviceYaml('canary', canary.port)}`);
    await daemon.until('http://shop.example/', servedBy('other'));
    daemon.write('more.yaml', ingressYaml('more', 'more.example', 'stable'));
    await daemon.until('http://more.example/', servedBy('other'));
    daemon.remove('more.yaml');
    await daemon.until('http://more.example/', (response) => response.status === 404);
    daemon.write('secret.yaml', tlsSecretYaml('shop-tls', selfSigned('two.example', ['shop.example'])));
    await expect.poll(() => commonName(daemon.ports.https, 'shop.example'), { timeout: 5_000 }).toBe('two.example');
    expect(await commonName(daemon.ports.https, 'elsewhere.example')).toBe('ramjet.invalid');
    expect(await reloads(daemon)).toEqual(before);
  });

  test('a new Service is a reload on 3.2 only, and the first use of a feature is one that names the object', async () => {
    const daemon = await start(version, {});
    const [one, two] = await Promise.all([daemon.echo('one'), daemon.echo('two')]);
    daemon.write('one.yaml', `${serviceYaml('one', one.port)}---\n${ingressYaml('one', 'one.example', 'one')}`);
    await daemon.until('http://one.example/', servedBy('one'));
    const before = await reloads(daemon);
    daemon.write('two.yaml', `${serviceYaml('two', two.port)}---\n${ingressYaml('two', 'two.example', 'two')}`);
    await daemon.until('http://two.example/', servedBy('two'));
    const since = (await reloads(daemon)).filter((reason) => !before.includes(reason));
    if (version === '3.4') expect(since).toEqual([]);
    else expect(since.join()).toContain('new-backend=');

    daemon.write(
      'one.yaml',
      `${serviceYaml('one', one.port)}---\n${ingressYaml('one', 'one.example', 'one', { [`${N}/enable-cors`]: 'true' })}`,
    );
    await daemon.until('http://one.example/', (response) => response.headers['access-control-allow-origin'] !== undefined);
    await expect.poll(async () => (await daemon.generations())[0]?.how).toBe('reload');
    await expect
      .poll(async () => (await daemon.generations())[0]?.reasons)
      .toContainEqual({ reason: 'first-use:cors', object: 'Ingress default/one' });
  });

  test('after its worker is killed the latest state is served again', async () => {
    const daemon = await start(version, {});
    const echo = await daemon.echo('one');
    daemon.write('one.yaml', `${serviceYaml('one', echo.port)}---\n${ingressYaml('one', 'one.example', 'one')}`);
    await daemon.until('http://one.example/', servedBy('one'));
    daemon.write('two.yaml', ingressYaml('two', 'two.example', 'one'));
    await daemon.until('http://two.example/', servedBy('one'));
    const worker = (await daemon.daemon.processes()).find((one) => one.role === 'worker');
    process.kill(worker?.pid ?? 0, 'SIGKILL');
    await expect
      .poll(async () => (await daemon.get('http://two.example/').catch(() => ({ status: 0 }))).status, { timeout: 10_000 })
      .toBe(200);
    daemon.write('three.yaml', ingressYaml('three', 'three.example', 'one'));
    await daemon.until('http://three.example/', servedBy('one'));
  });
});

test('routes are counted by status and time', async () => {
  const daemon = await start('3.4', {});
  const echo = await daemon.echo('one');
  daemon.write('one.yaml', `${serviceYaml('one', echo.port)}---\n${ingressYaml('one', 'one.example', 'one')}`);
  await daemon.until('http://one.example/', servedBy('one'));
  const count = async () =>
    (/ramjet_route_requests_total\{[^}]*ingress="one"[^}]*status="2xx"\} (\d+)/.exec(String(await daemon.admin('metrics'))) ?? [])[1];
  await expect.poll(count).toBeDefined();
  const before = Number(await count());
  for (let sent = 0; sent < 5; sent += 1) await daemon.get('http://one.example/');
  await daemon.get('http://one.example/?status=503');
  expect(Number(await count())).toBe(before + 5);
  const [route] = (await daemon.admin('admin/routes')) as readonly { requests: Record<string, number>; meanMilliseconds: number | null }[];
  expect(route?.requests['5xx']).toBe(1);
  expect(route?.meanMilliseconds).not.toBeNull();
});

test('a half-written file keeps its last good version and says so', async () => {
  const daemon = await start('3.4', {});
  const echo = await daemon.echo('one');
  daemon.write('one.yaml', `${serviceYaml('one', echo.port)}---\n${ingressYaml('one', 'one.example', 'one')}`);
  await daemon.until('http://one.example/', servedBy('one'));
  daemon.write(
    'one.yaml',
    `${serviceYaml('one', echo.port)}---\napiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: { name: one, annot`,
  );
  await expect.poll(async () => JSON.stringify(await daemon.admin('admin/diagnostics')), { timeout: 5_000 }).toContain('SourceStale');
  expect((await daemon.get('http://one.example/')).status).toBe(200);
});
