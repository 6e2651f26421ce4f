import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an echo endpoint says it received. */
export interface Echo {
  readonly service: string;
  readonly method: string;
  readonly path: string;
  /** Names lower case; several values joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBytes: number;
}

/**
 * An endpoint that answers with what it received, as JSON. The query parameters `status`, `delay` (ms),
 * `header=Name:value` (repeatable) and `bytes` shape the answer, so that cases can ask for it.
 */
export class EchoServer {
  readonly #server: Server;
  readonly service: string;
  requests = 0;

  constructor(service: string) {
    this.service = service;
    this.#server = createServer((request, response) => {
      // A request that breaks off is no answer's business.
      this.#answer(request, response).catch(() => response.destroy());
    });
    this.#server.keepAliveTimeout = 0;
  }

  async start(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    let bodyBytes = 0;
    for await (const chunk of request) bodyBytes += (chunk as Buffer).length;
    // A path that begins with two slashes is a path here, not a host.
    const query = new URL(request.url?.startsWith('/') ? `http://echo${request.url}` : '/', 'http://echo').searchParams;
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
    );
    const echo: Echo = { service: this.service, method: request.method ?? '', path: request.url ?? '', headers, bodyBytes };
    const delay = Number(query.get('delay') ?? 0);
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    response.statusCode = Number(query.get('status') ?? 200);
    response.setHeader('content-type', 'application/json');
    for (const header of query.getAll('header')) {
      const colon = header.indexOf(':');
      response.appendHeader(header.slice(0, colon), header.slice(colon + 1).trim());
    }
    const bytes = Number(query.get('bytes') ?? 0);
    response.end(bytes > 0 ? 'x'.repeat(bytes) : JSON.stringify(echo));
  }
}
