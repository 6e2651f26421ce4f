import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { send } from '../../src/testing/client.ts';
import { ingressYaml, serviceYaml } from '../../src/testing/daemon.ts';
import { EchoServer } from '../../src/testing/echo.ts';
import { haproxyBinary } from '../../src/testing/haproxy-binary.ts';

const BIN = fileURLToPath(new URL('../../bin/ramjet.mjs', import.meta.url));

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

async function readiness(port: number): Promise<number> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    (response) => response.status,
    () => 0,
  );
}

test('SIGTERM: readiness fails first, new requests are still served, one in flight ends well, nothing is left', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'ramjet-shutdown-'));
  const echo = new EchoServer('web');
  writeFileSync(join(directory, 'web.yaml'), `${serviceYaml('web', await echo.start())}---\n${ingressYaml('web', 'web.example', 'web')}`);
  const [http, https, admin] = await Promise.all([freePort(), freePort(), freePort()]);
  const flags = [
    '--http',
    `127.0.0.1:${http}`,
    '--https',
    `127.0.0.1:${https}`,
    '--admin',
    `127.0.0.1:${admin}`,
    '--haproxy',
    haproxyBinary('3.4'),
    '--lame-duck',
    '600ms',
    '--drain',
    '5s',
  ];
  const child = spawn(process.execPath, [BIN, 'serve', directory, ...flags], { stdio: 'ignore' });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  try {
    await expect.poll(() => readiness(admin), { timeout: 20_000 }).toBe(200);
    const slow = send({ http, https }, { method: 'GET', url: 'http://web.example/?delay=1500' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    child.kill('SIGTERM');
    await expect.poll(() => readiness(admin), { timeout: 500, interval: 20 }).toBe(503);
    expect((await send({ http, https }, { method: 'GET', url: 'http://web.example/' })).status).toBe(200);
    expect((await slow).status).toBe(200);
    expect(await ended).toBe(0);
    await expect(send({ http, https }, { method: 'GET', url: 'http://web.example/' })).rejects.toThrow('ECONNREFUSED');
  } finally {
    child.kill('SIGKILL');
    await echo.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});
