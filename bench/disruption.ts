import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { Agent, request, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket, WebSocketServer } from 'ws';
import { report } from './lib/figure.ts';
import { type RunningRamjet, startRamjet } from './lib/ramjet.ts';
import { ingressYaml, serviceYaml, writeSite } from './lib/site.ts';
import type { BenchOptions } from './lib/options.ts';

const HOST = 'steady.bench.example';
const N = 'nginx.ingress.kubernetes.io';

interface Tally {
  requests: number;
  failed: number;
  /** Keep-alive connections that ended while the client wanted them. */
  closed: number;
  websocketsClosed: number;
  downloadsBroken: number;
}

function backend(): Promise<{ server: Server; port: number }> {
  return new Promise((resolve) => {
    const server = createServer((incoming, response) => {
      if (incoming.url !== '/download') return void response.end('ok');
      // A byte every 50 ms until the other side has had enough.
      const timer = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(timer));
    });
    const sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data)));
    server.keepAliveTimeout = 3_600_000;
    server.listen(0, '127.0.0.1', () => resolve({ server, port: (server.address() as AddressInfo).port }));
  });
}

/** One keep-alive client that asks again and again on one connection, as an idle-prone client would: no retry. */
async function client(port: number, tally: Tally, running: () => boolean): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let socket: Socket | undefined;
  while (running()) {
    await new Promise<void>((resolve) => {
      const outgoing = request({ host: '127.0.0.1', port, agent, headers: { host: HOST } }, (response: IncomingMessage) => {
        if (response.statusCode !== 200) tally.failed += 1;
        response.resume();
        response.on('end', resolve);
        response.on('error', () => {
          tally.failed += 1;
          resolve();
        });
      });
      outgoing.on('socket', (used) => {
        if (socket !== undefined && socket !== used) tally.closed += 1;
        socket = used;
      });
      outgoing.on('error', () => {
        tally.failed += 1;
        resolve();
      });
      tally.requests += 1;
      outgoing.end();
    });
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  agent.destroy();
}

function websocket(port: number, tally: Tally, running: () => boolean): WebSocket {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { host: HOST } });
  const timer = setInterval(() => socket.readyState === WebSocket.OPEN && socket.send('ping'), 100);
  socket.on('error', () => {});
  socket.on('close', () => {
    clearInterval(timer);
    if (running()) tally.websocketsClosed += 1;
  });
  return socket;
}

function download(port: number, tally: Tally, running: () => boolean): () => void {
  const outgoing = request({ host: '127.0.0.1', port, path: '/download', headers: { host: HOST } }, (response) => {
    response.resume();
    response.on('close', () => {
      if (running()) tally.downloadsBroken += 1;
    });
    response.on('error', () => {});
  });
  outgoing.on('error', () => {});
  outgoing.end();
  return () => outgoing.destroy();
}

/** A change of every kind in turn; what they touch is not what the clients ask for, as in a shared cluster. */
function change(directory: string, turn: number, port: number): void {
  const put = (name: string, text: string) => {
    writeFileSync(join(directory, `.${name}`), text);
    renameSync(join(directory, `.${name}`), join(directory, name));
  };
  const path = [{ path: '/', service: 'steady' }];
  switch (turn % 5) {
    case 0:
      return put('weight.yaml', ingressYaml('weight', HOST, path, { [`${N}/canary`]: 'true', [`${N}/canary-weight`]: String(turn % 100) }));
    case 1:
      return put(`new-${turn % 50}.yaml`, ingressYaml(`new-${turn % 50}`, `new-${turn}.bench.example`, path, {}));
    case 2:
      return put('endpoint.yaml', serviceYaml('moving', port + (turn % 2)));
    case 3:
      return put(
        `service-${turn % 50}.yaml`,
        `${serviceYaml(`fresh-${turn}`, port)}---\n${ingressYaml(`fresh-${turn % 50}`, `fresh-${turn % 50}.bench.example`, [{ path: '/', service: `fresh-${turn}` }], {})}`,
      );
    default:
      return put(
        'timeouts.yaml',
        ingressYaml('timeouts', 'timeouts.bench.example', path, { [`${N}/proxy-read-timeout`]: String(10 + (turn % 50)) }),
      );
  }
}

export async function disruption(options: BenchOptions): Promise<void> {
  const changes = options.quick ? 200 : 1000;
  const directory = mkdtempSync(join(tmpdir(), 'ramjet-bench-'));
  const { server, port } = await backend();
  const site = writeSite(join(directory, 'site'), { routes: 1000, upstreamPort: port });
  writeFileSync(
    join(site.manifests, 'steady.yaml'),
    `${serviceYaml('steady', port)}---\n${ingressYaml('steady', HOST, [{ path: '/', service: 'steady' }], {})}`,
  );
  const ramjet = await startRamjet(directory, site.manifests);
  try {
    await run(changes, site.manifests, ramjet, port);
  } finally {
    await ramjet.stop();
    server.closeAllConnections();
    server.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function run(changes: number, directory: string, ramjet: RunningRamjet, port: number): Promise<void> {
  const tally: Tally = { requests: 0, failed: 0, closed: 0, websocketsClosed: 0, downloadsBroken: 0 };
  let running = true;
  const isRunning = () => running;
  const clients = Array.from({ length: 20 }, () => client(ramjet.port, tally, isRunning));
  const sockets = Array.from({ length: 10 }, () => websocket(ramjet.port, tally, isRunning));
  const downloads = Array.from({ length: 5 }, () => download(ramjet.port, tally, isRunning));
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (let turn = 0; turn < changes; turn += 1) {
    change(directory, turn, port);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  running = false;
  await Promise.all(clients);
  for (const socket of sockets) socket.close();
  for (const end of downloads) end();
  const name = `disruption/${changes}-changes`;
  const figures = {
    requests: tally.requests,
    'failed-requests': tally.failed,
    'closed-keep-alive-connections': tally.closed,
    'closed-websockets': tally.websocketsClosed,
    'broken-downloads': tally.downloadsBroken,
  };
  for (const [label, value] of Object.entries(figures)) report({ name: `${name}/${label}`, value, unit: 'count', rounds: 1 });
  const metrics = await (await fetch(`http://127.0.0.1:${ramjet.adminPort}/metrics`)).text();
  for (const [, reason = '', count = '0'] of metrics.matchAll(/^ramjet_reloads_total\{reason="([^"]+)"\} (\d+)/gm))
    report({ name: `${name}/reloads/${reason}`, value: Number(count), unit: 'count', rounds: 1 });
}
