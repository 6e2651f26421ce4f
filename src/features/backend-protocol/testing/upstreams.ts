import { createServer as createHttp2, createSecureServer, type Http2ServerRequest } from 'node:http2';
import { createServer as createHttp, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type AddressInfo, type Server } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Pair } from './pki.ts';

/** What an endpoint learned of a connection. */
export interface Seen {
  readonly http: string;
  readonly tls: string | null;
  readonly sni: string | null;
  readonly alpn: string | null;
  readonly cipher: string | null;
  /** Common name of the client certificate. */
  readonly client: string | null;
  readonly host: string | undefined;
}

export interface Upstream {
  readonly port: number;
  readonly server: Server;
  stop(): Promise<void>;
}

interface TlsUpstreamOptions {
  readonly http: 'h1' | 'h2';
  readonly pair: Pair;
  /** Asks for a client certificate of this CA, and takes a connection without one. */
  readonly clientCa: string;
}

export function tlsUpstream({ http, pair, clientCa }: TlsUpstreamOptions): Promise<Upstream> {
  const options = { key: pair.key, cert: pair.certificate, ca: clientCa, requestCert: true, rejectUnauthorized: false };
  if (http === 'h1') return listening(createHttps({ ...options, ALPNProtocols: ['http/1.1'] }, answerHttp1));
  return listening(createSecureServer(options, (request, response) => response.end(JSON.stringify(seen(request)))));
}

export function plainUpstream(http: 'h1' | 'h2'): Promise<Upstream> {
  return listening(
    http === 'h1' ? createHttp(answerHttp1) : createHttp2((request, response) => response.end(JSON.stringify(seen(request)))),
  );
}

/** Answers with the first line that it received, in hex. */
export function rawUpstream(): Promise<Upstream> {
  return listening(
    createTcp((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (bytes) => {
        const text = bytes.subarray(0, 64).toString('hex');
        socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`);
      });
    }),
  );
}

const answerHttp1: RequestListener = (request, response) => response.end(JSON.stringify(seen(request)));

function seen(request: IncomingMessage | Http2ServerRequest): Seen {
  const socket = 'stream' in request ? request.stream.session?.socket : request.socket;
  const tls = socket instanceof TLSSocket ? socket : undefined;
  // Node's types leave the name out; HTTP/2 shows the socket through a proxy that answers to reading only.
  const sni: unknown = tls && Reflect.get(tls, 'servername');
  const { authority } = 'authority' in request ? request : { authority: undefined };
  const subject = tls?.getPeerCertificate().subject?.CN;
  return {
    http: request.httpVersion,
    tls: tls?.getProtocol() ?? null,
    sni: typeof sni === 'string' ? sni : null,
    alpn: tls?.alpnProtocol === false ? null : (tls?.alpnProtocol ?? null),
    cipher: tls?.getCipher().name ?? null,
    client: typeof subject === 'string' ? subject : null,
    host: request.headers.host ?? authority,
  };
}

async function listening(server: Server): Promise<Upstream> {
  const sockets = new Set<{ destroy(): unknown }>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // Failed checks of certificates are part of the tests.
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    server,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
