import { createServer, type AddressInfo, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ramjet } from '../testing/run.ts';

const MANIFESTS = fileURLToPath(new URL('./fixtures/shop.yaml', import.meta.url));

async function listening(): Promise<Server> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function freeAddresses(): Promise<readonly string[]> {
  const servers = await Promise.all([listening(), listening(), listening()]);
  const addresses = servers.map((server) => `127.0.0.1:${portOf(server)}`);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return addresses;
}

async function untilReady(admin: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const answer = await fetch(`http://${admin}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('not ready');
}

describe('ramjet serve', () => {
  test('serves until it is told to stop', async () => {
    const [http = '', https = '', admin = ''] = await freeAddresses();
    let signal = () => {};
    const args = ['serve', MANIFESTS, '--http', http, '--https', https, '--admin', admin, '--drain', '0s', '--log-level', 'error'];
    const ran = ramjet(args, { onListening: (send) => (signal = send) });
    await untilReady(admin);
    expect((await fetch(`http://${http}/`, { headers: { host: 'shop.example' } })).status).toBe(403);
    signal();
    expect(await ran).toEqual({ code: 0, stdout: '', stderr: '' });
    await expect(fetch(`http://${admin}/readyz`)).rejects.toThrow();
    await expect(fetch(`http://${http}/`)).rejects.toThrow();
  });

  test.each(['http', 'https', 'admin'])('an address of --%s that is in use is an error with that name', async (flag) => {
    const taken = await listening();
    const [http = '', https = '', admin = ''] = await freeAddresses();
    const addresses = new Map([
      ['http', http],
      ['https', https],
      ['admin', admin],
      [flag, `127.0.0.1:${portOf(taken)}`],
    ]);
    const { code, stderr } = await ramjet(['serve', MANIFESTS, ...[...addresses].flatMap(([name, address]) => [`--${name}`, address])]);
    taken.close();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `error: The address ${addresses.get(flag)} is already in use; choose another with --${flag}.\n`,
    });
  });

  test.each([
    [['serve'], {}, 'error: no manifests: name files or folders, or set RAMJET_MANIFESTS\n'],
    [['serve', '-'], {}, 'error: serve reads files and folders'],
    [['serve', MANIFESTS, '--admin', 'nowhere'], {}, 'error: --admin "nowhere" is not `address:port` or `:port`.'],
    [['serve', MANIFESTS], { RAMJET_DRAIN: 'soon' }, 'error: RAMJET_DRAIN "soon" '],
  ])('%j is refused', async (args, env, message) => {
    const { code, stderr } = await ramjet(args, { env });
    expect(code).toBe(2);
    expect(stderr.startsWith(message), stderr).toBe(true);
  });

  test('without a HAProxy that serves it says how to get one', async () => {
    const named = await ramjet(['serve', MANIFESTS, '--haproxy', '/bin/true']);
    expect(named).toMatchObject({ code: 1, stdout: '' });
    expect(named.stderr).toBe(
      'error: --haproxy: /bin/true is not a HAProxy that runs here.\nInstall HAProxy 3.2 or newer and set RAMJET_HAPROXY=/path/to/haproxy, or give --haproxy PATH.\n',
    );
    // An installed package has no tools to fetch one.
    const nowhere = new URL('./fixtures/', import.meta.url);
    const installed = await ramjet(['serve', MANIFESTS], { root: nowhere, env: { PATH: '/nowhere', RAMJET_CACHE: '/nowhere' } });
    expect(installed.stderr).toContain('There is no HAProxy on PATH.\nInstall HAProxy 3.2 or newer');
  });
});
