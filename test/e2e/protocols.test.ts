import { connect as connectHttp2, constants } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { Harness } from '../../src/testing/harness.ts';
import { ingressYaml, serviceYaml, tlsSecretYaml } from '../../src/testing/daemon.ts';
import { selfSigned } from '../../src/testing/self-signed.ts';

let sockets: WebSocketServer;
let harness: Harness;

beforeAll(async () => {
  sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => sockets.once('listening', resolve));
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data)));
  const port = (sockets.address() as AddressInfo).port;
  const redirectOff = { 'nginx.ingress.kubernetes.io/ssl-redirect': 'false' };
  const manifests = [
    'apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { ports: [{ port: 80 }] }\n',
    serviceYaml('chat', port),
    ingressYaml('web', 'web.example', 'web', redirectOff, 'web-tls'),
    ingressYaml('wild', '*.wild.example', 'web', redirectOff, 'wild-tls'),
    ingressYaml('chat', 'chat.example', 'chat'),
    ingressYaml('bad-pair', 'bad-pair.example', 'web', redirectOff, 'bad-tls'),
    tlsSecretYaml('web-tls', selfSigned('web.example')),
    tlsSecretYaml('wild-tls', selfSigned('wild', ['*.wild.example'])),
    tlsSecretYaml(
      'bad-tls',
      selfSigned('one').slice(0, selfSigned('one').indexOf('-----BEGIN PRIVATE')) +
        selfSigned('two').slice(selfSigned('two').indexOf('-----BEGIN PRIVATE')),
    ),
  ].join('\n---\n');
  harness = await Harness.start(manifests, { listeners: { http3: true, publicHttpsPort: 8443 } });
});

afterAll(async () => {
  await harness.stop();
  sockets.close();
});

function certificateOf(servername: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host: '127.0.0.1', port: harness.ports.https, servername, rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

function overHttp2(url: string, authority: string): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const session = connectHttp2(url, { rejectUnauthorized: false, servername: authority });
    session.on('error', reject);
    const stream = session.request({ [constants.HTTP2_HEADER_AUTHORITY]: authority, [constants.HTTP2_HEADER_PATH]: '/over-h2' });
    let status = 0;
    let body = '';
    stream.setEncoding('utf8');
    stream.on('response', (headers) => {
      status = Number(headers[constants.HTTP2_HEADER_STATUS]);
    });
    stream.on('data', (chunk: string) => {
      body += chunk;
    });
    stream.on('end', () => {
      session.close();
      resolve({ status, body });
    });
    stream.on('error', reject);
    stream.end();
  });
}

describe('TLS', () => {
  test('each name gets its certificate, a wildcard one label, the rest the default', async () => {
    expect(await certificateOf('web.example')).toBe('web.example');
    expect(await certificateOf('a.wild.example')).toBe('wild');
    expect(await certificateOf('a.b.wild.example')).not.toBe('wild');
    expect(await certificateOf('unknown.example')).toBe('ramjet.invalid');
  });

  test('a pair that does not belong together is reported and the default is shown', async () => {
    expect(await certificateOf('bad-pair.example')).toBe('ramjet.invalid');
    expect(harness.compiled.diagnostics.filter((entry) => entry.code === 'InvalidCertificate').map((entry) => entry.origin.name)).toEqual([
      'bad-pair',
    ]);
    expect((await harness.send({ method: 'GET', url: 'https://web.example/' })).status).toBe(200);
  });
});

describe('HTTP versions', () => {
  test('HTTP/2 over TLS and with prior knowledge', async () => {
    for (const url of [`https://127.0.0.1:${harness.ports.https}`, `http://127.0.0.1:${harness.ports.http}`]) {
      const answer = await overHttp2(url, 'web.example');
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.body)).toMatchObject({
        service: 'default/web',
        path: '/over-h2',
        headers: { 'x-forwarded-host': 'web.example' },
      });
    }
  });

  test('HTTP/3 is announced on https only', async () => {
    const secure = await harness.send({ method: 'GET', url: 'https://web.example/' });
    expect(secure.headers['alt-svc']).toBe('h3=":8443"; ma=86400');
    const plain = await harness.send({ method: 'GET', url: 'http://web.example/' });
    expect(plain.headers['alt-svc']).toBeUndefined();
  });
});

test.each(['ws', 'wss'] as const)('%s: a WebSocket carries messages both ways', async (scheme) => {
  const port = scheme === 'ws' ? harness.ports.http : harness.ports.https;
  const options = { headers: { host: 'chat.example' }, rejectUnauthorized: false };
  const socket = new WebSocket(`${scheme}://127.0.0.1:${port}/room`, options);
  const answer = await new Promise<string>((resolve, reject) => {
    socket.on('open', () => socket.send('hello'));
    socket.on('message', (data: Buffer) => resolve(data.toString('utf8')));
    socket.on('error', reject);
  });
  expect(answer).toBe('hello');
  socket.close();
});
