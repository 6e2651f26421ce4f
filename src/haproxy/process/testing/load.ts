import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export interface Upstream {
  readonly port: number;
  close(): Promise<void>;
}

/** Answers `ok NAME`; `/slow?bytes=…` drips for about `ms`; a websocket echoes. */
export async function startUpstream(name: string): Promise<Upstream> {
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://upstream');
    const ms = Number(url.searchParams.get('ms') ?? 0);
    if (ms === 0) return void response.end(`ok ${name}`);
    const steps = Math.ceil(ms / 20);
    let sent = 0;
    const timer = setInterval(() => {
      response.write('x'.repeat(100));
      if (++sent < steps) return;
      clearInterval(timer);
      response.end();
    }, 20);
    response.once('close', () => clearInterval(timer));
  });
  server.keepAliveTimeout = 60_000;
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket: WebSocket) => socket.on('message', (data) => socket.send(data)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly pid: string;
}

export function request(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  agent: Agent | false = false,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = get({ host: '127.0.0.1', port, path, headers, agent }, (response: IncomingMessage) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body, pid: String(response.headers['x-pid'] ?? '') }));
      response.on('error', reject);
    });
    sent.on('error', reject);
  });
}

export interface Load {
  readonly answered: () => number;
  /** What was not as expected, in words. */
  readonly failures: readonly string[];
  stop(): Promise<void>;
}

/** Keep-alive clients without retries; every answer is judged by `judge`, which says what is wrong. */
export function startLoad(
  port: number,
  clients: number,
  path: string,
  judge: (answer: Answer) => string | undefined,
  headers: () => Readonly<Record<string, string>> = () => ({}),
): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const failures: string[] = [];
  let answered = 0;
  let stopped = false;
  async function client(): Promise<void> {
    while (!stopped) {
      try {
        const wrong = judge(await request(port, path, headers(), agent));
        answered += 1;
        if (wrong !== undefined) failures.push(wrong);
      } catch (error) {
        failures.push(String(error));
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
  const running = Array.from({ length: clients }, client);
  return {
    answered: () => answered,
    failures,
    async stop() {
      stopped = true;
      await Promise.all(running);
      agent.destroy();
    },
  };
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export async function until(what: string, holds: () => boolean | Promise<boolean>, withinMs = 5_000): Promise<number> {
  const began = performance.now();
  while (!(await holds())) {
    if (performance.now() - began > withinMs) throw new Error(`not within ${String(withinMs)} ms: ${what}`);
    await pause(5);
  }
  return performance.now() - began;
}
