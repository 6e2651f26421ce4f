import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';

export interface TestRequest {
  readonly method: string;
  /** `http://host/path` or `https://host/path`, sent to the harness whatever the host. The path goes out as written. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
  /** Source address, a loopback alias such as 127.0.0.7 or ::1. */
  readonly from?: string;
  /** Sent before everything else, a PROXY protocol header of version 1: `TCP4 192.0.2.1 192.0.2.2 5000 80`. */
  readonly proxy?: string;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  readonly milliseconds: number;
}

export interface Ports {
  readonly http: number;
  readonly https: number;
}

/** One request on a connection of its own; the path is not normalised. */
export function send(ports: Ports, test: TestRequest): Promise<TestResponse> {
  const match = /^(https?):\/\/([^/?]*)(.*)$/.exec(test.url);
  if (!match) throw new Error(`not a URL: ${test.url}`);
  const [, scheme, host = '', target = ''] = match;
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const options = {
      host: test.from?.includes(':') ? '::1' : '127.0.0.1',
      port: scheme === 'https' ? ports.https : ports.http,
      method: test.method,
      path: target.startsWith('/') ? target : `/${target}`,
      headers: { host, ...test.headers } as Record<string, string | string[]>,
      ...(test.from === undefined ? {} : { localAddress: test.from }),
      ...(test.proxy === undefined ? { agent: false as const } : { createConnection: () => proxied(ports, scheme, host, test) }),
    };
    const outgoing =
      scheme === 'https'
        ? httpsRequest({ ...options, servername: host.split(':')[0] ?? '', rejectUnauthorized: false })
        : httpRequest(options);
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
          milliseconds: performance.now() - started,
        });
      });
    });
    outgoing.end(test.body);
  });
}

function proxied(ports: Ports, scheme: string | undefined, host: string, { proxy, from }: TestRequest): Socket {
  const socket = connect({
    host: '127.0.0.1',
    port: scheme === 'https' ? ports.https : ports.http,
    ...(from === undefined ? {} : { localAddress: from }),
  });
  socket.write(`PROXY ${proxy}\r\n`);
  return scheme === 'https' ? tlsConnect({ socket, servername: host.split(':')[0] ?? '', rejectUnauthorized: false }) : socket;
}
