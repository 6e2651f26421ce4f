import * as grpc from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Harness } from '../../testing/harness.ts';
import { selfSigned } from '../../testing/self-signed.ts';

const text = { serialize: (value: string) => Buffer.from(value), deserialize: (bytes: Buffer) => bytes.toString() };

function method(name: string, streams: { readonly request: boolean; readonly response: boolean }) {
  return {
    path: `/test.Echo/${name}`,
    requestStream: streams.request,
    responseStream: streams.response,
    requestSerialize: text.serialize,
    requestDeserialize: text.deserialize,
    responseSerialize: text.serialize,
    responseDeserialize: text.deserialize,
  };
}

const SERVICE = {
  say: method('Say', { request: false, response: false }),
  fail: method('Fail', { request: false, response: false }),
  count: method('Count', { request: false, response: true }),
  chat: method('Chat', { request: true, response: true }),
};

function trailers(): grpc.Metadata {
  const metadata = new grpc.Metadata();
  metadata.set('x-trailer', 'at the end');
  return metadata;
}

/** An Echo service; answers at once, so that what it sends last are trailers and not headers. */
function grpcServer(): grpc.Server {
  const server = new grpc.Server();
  server.addService(SERVICE, {
    say: (call: grpc.ServerUnaryCall<string, string>, done: grpc.sendUnaryData<string>) =>
      done(null, `${call.request} ${call.metadata.get('x-asked').join()}`, trailers()),
    fail: (_call: grpc.ServerUnaryCall<string, string>, done: grpc.sendUnaryData<string>) =>
      done({ code: grpc.status.RESOURCE_EXHAUSTED, details: 'no more', metadata: trailers() }),
    count: (call: grpc.ServerWritableStream<string, string>) => {
      for (let index = 1; index <= Number(call.request); index += 1) call.write(String(index));
      call.end(trailers());
    },
    chat: (call: grpc.ServerDuplexStream<string, string>) => {
      call.on('data', (word: string) => call.write(`${word}!`));
      call.on('end', () => call.end(trailers()));
    },
  });
  return server;
}

function listen(server: grpc.Server, credentials: grpc.ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', credentials, (error, port) => (error ? reject(error) : resolve(port))),
  );
}

function objects(ports: { readonly plain: number; readonly tls: number }): string {
  const ingress = (name: string, annotations: Readonly<Record<string, string>>, service: string) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, annotations: { 'nginx.ingress.kubernetes.io/ssl-redirect': 'false', ...annotations } },
    spec: {
      rules: [
        {
          host: `${name}.example`,
          http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: service, port: { number: 80 } } } }] },
        },
      ],
    },
  });
  const service = (name: string, port: number, appProtocol?: string) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, annotations: { 'ramjet.dev/endpoints': `127.0.0.1:${port}` } },
    spec: { ports: [{ port: 80, appProtocol }] },
  });
  return [
    ingress('grpc', { 'nginx.ingress.kubernetes.io/backend-protocol': 'GRPC' }, 'plain'),
    ingress('grpcs', { 'nginx.ingress.kubernetes.io/backend-protocol': 'GRPCS' }, 'tls'),
    ingress('marked', {}, 'marked'),
    service('plain', ports.plain),
    service('tls', ports.tls),
    service('marked', ports.plain, 'kubernetes.io/h2c'),
  ]
    .map((object) => `${JSON.stringify(object)}\n`)
    .join('---\n');
}

const EDGES = ['in the clear', 'over TLS'] as const;
const HOSTS = ['grpc.example', 'grpcs.example', 'marked.example'] as const;

describe.each(['3.4', '3.2'] as const)('gRPC through HAProxy %s', (version) => {
  const plain = grpcServer();
  const secure = grpcServer();
  let harness: Harness;
  const edge = selfSigned('edge.example', [...HOSTS]);

  beforeAll(async () => {
    const pem = selfSigned('pod.internal');
    const [certificate = '', key = ''] = pem.split(/(?=-----BEGIN PRIVATE)/);
    const ports = {
      plain: await listen(plain, grpc.ServerCredentials.createInsecure()),
      tls: await listen(
        secure,
        grpc.ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(certificate), private_key: Buffer.from(key) }]),
      ),
    };
    const [edgeCertificate = '', edgeKey = ''] = edge.split(/(?=-----BEGIN PRIVATE)/);
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'edge' },
      type: 'kubernetes.io/tls',
      stringData: { 'tls.crt': edgeCertificate, 'tls.key': edgeKey },
    };
    const shown = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'shown' },
      spec: {
        tls: [{ hosts: [...HOSTS], secretName: 'edge' }],
        rules: [
          {
            host: 'unused.example',
            http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'plain', port: { number: 80 } } } }] },
          },
        ],
      },
    };
    harness = await Harness.start(`${objects(ports)}---\n${JSON.stringify(secret)}\n---\n${JSON.stringify(shown)}`, { version });
  });

  afterAll(async () => {
    plain.forceShutdown();
    secure.forceShutdown();
    await harness.stop();
  });

  function client(host: string, how: (typeof EDGES)[number]): grpc.Client {
    const [certificate = ''] = edge.split(/(?=-----BEGIN PRIVATE)/);
    const credentials = how === 'over TLS' ? grpc.credentials.createSsl(Buffer.from(certificate)) : grpc.credentials.createInsecure();
    const port = how === 'over TLS' ? harness.ports.https : harness.ports.http;
    return new grpc.Client(`127.0.0.1:${port}`, credentials, { 'grpc.ssl_target_name_override': host, 'grpc.default_authority': host });
  }

  describe.each(EDGES)('%s', (how) => {
    test.each(HOSTS)('%s: unary call, metadata and trailers', async (host) => {
      const one = client(host, how);
      const metadata = new grpc.Metadata();
      metadata.set('x-asked', 'kindly');
      const got = await new Promise<{ value: string | undefined; trailer: readonly unknown[] }>((resolve, reject) => {
        let value: string | undefined;
        const call = one.makeUnaryRequest(SERVICE.say.path, text.serialize, text.deserialize, 'hello', metadata, (error, answer) =>
          error ? reject(error) : (value = answer),
        );
        call.on('status', (status) => resolve({ value, trailer: status.metadata.get('x-trailer') }));
      });
      expect(got).toEqual({ value: 'hello kindly', trailer: ['at the end'] });
      one.close();
    });

    test.each(HOSTS)('%s: an error keeps its code, text and trailers', async (host) => {
      const one = client(host, how);
      const error = await new Promise<grpc.ServiceError | null>((resolve) =>
        one.makeUnaryRequest(SERVICE.fail.path, text.serialize, text.deserialize, 'x', (failure) => resolve(failure)),
      );
      expect({ code: error?.code, details: error?.details, trailer: error?.metadata.get('x-trailer') }).toEqual({
        code: grpc.status.RESOURCE_EXHAUSTED,
        details: 'no more',
        trailer: ['at the end'],
      });
      one.close();
    });

    test.each(HOSTS)('%s: server stream', async (host) => {
      const one = client(host, how);
      const call = one.makeServerStreamRequest(SERVICE.count.path, text.serialize, text.deserialize, '500');
      const words: string[] = [];
      for await (const word of call) words.push(String(word));
      expect(words).toEqual(Array.from({ length: 500 }, (_, index) => String(index + 1)));
      one.close();
    });

    test.each(HOSTS)('%s: both sides stream, each word is answered before the next', async (host) => {
      const one = client(host, how);
      const call = one.makeBidiStreamRequest(SERVICE.chat.path, text.serialize, text.deserialize);
      const status = new Promise<grpc.StatusObject>((resolve) => call.on('status', resolve));
      for (const word of ['a', 'b', 'c']) {
        const answer = new Promise((resolve) => call.once('data', resolve));
        call.write(word);
        expect(await answer).toBe(`${word}!`);
      }
      call.end();
      expect((await status).metadata.get('x-trailer')).toEqual(['at the end']);
      one.close();
    });
  });
});
