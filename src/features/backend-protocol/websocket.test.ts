import type { IncomingMessage } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { Harness } from '../../testing/harness.ts';
import { selfSigned } from '../../testing/self-signed.ts';

/** Says what it hears, and first the path and the subprotocol. */
function echoing(server: Server): Promise<number> {
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, request: IncomingMessage) => {
    socket.send(`${request.url} ${socket.protocol}`);
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
}

describe.each(['3.4', '3.2'] as const)('WebSocket through HAProxy %s', (version) => {
  const [certificate, key] = selfSigned('pod.internal').split(/(?=-----BEGIN PRIVATE)/);
  const servers = [createServer(), createHttps({ cert: certificate, key })];
  let harness: Harness;

  beforeAll(async () => {
    const [plain, tls] = await Promise.all(servers.map(echoing));
    const objects = [
      ['plain', plain, {}],
      ['tls', tls, { 'nginx.ingress.kubernetes.io/backend-protocol': 'HTTPS' }],
    ].flatMap(([name, port, annotations]) => [
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        metadata: { name, annotations },
        spec: {
          rules: [
            {
              host: `${name as string}.example`,
              http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name, port: { number: 80 } } } }] },
            },
          ],
        },
      },
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name, annotations: { 'ramjet.dev/endpoints': `127.0.0.1:${port as number}` } },
        spec: { ports: [{ port: 80 }] },
      },
    ]);
    harness = await Harness.start(objects.map((object) => `${JSON.stringify(object)}\n`).join('---\n'), { version });
  });

  afterAll(async () => {
    await harness.stop();
    for (const server of servers) server.close();
  });

  describe.each(['ws', 'wss'] as const)('%s', (scheme) => {
    test.each(['plain', 'tls'])('to a %s endpoint', async (name) => {
      const port = scheme === 'ws' ? harness.ports.http : harness.ports.https;
      const socket = new WebSocket(`${scheme}://127.0.0.1:${port}/chat?room=1`, ['talk'], {
        headers: { host: `${name}.example` },
        rejectUnauthorized: false,
      });
      const heard: string[] = [];
      const next = (count: number) =>
        new Promise<void>((resolve, reject) => {
          socket.on('error', reject);
          socket.on('message', (data) => {
            heard.push((data as Buffer).toString('utf8'));
            if (heard.length === count) resolve();
          });
        });
      const all = next(3);
      await new Promise((resolve) => socket.once('open', resolve));
      socket.send('one');
      socket.send('x'.repeat(100_000));
      await all;
      expect(heard.map((text) => text.slice(0, 20))).toEqual(['/chat?room=1 talk', 'one', 'x'.repeat(20)]);
      expect(heard[2]?.length).toBe(100_000);
      const closed = new Promise<number>((resolve) => socket.once('close', resolve));
      socket.close(1000);
      expect(await closed).toBe(1000);
    });
  });
});
