import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { RouteCounters } from '../model/counters.ts';
import type { Model } from '../model/model.ts';
import { routeViews } from './routes.ts';

export interface AdminParts {
  /** What is served now. */
  state(): { readonly model: Model | undefined; readonly diagnostics: readonly Diagnostic[]; readonly ready: boolean };
  /** Newest first, ready to be printed as JSON. */
  generations(): readonly object[];
  /** In Prometheus' text format. */
  metrics(counters: ReadonlyMap<string, RouteCounters>): Promise<{ readonly text: string; readonly contentType: string }>;
  counters(): Promise<ReadonlyMap<string, RouteCounters>>;
  /** False while Ramjet ends, before it stops serving. */
  accepting(): boolean;
}

const EMPTY = { hosts: [], routes: [], backends: [], certificates: [] } as const;

/** The admin application; in tests it is called without a socket. */
export function adminApp(parts: AdminParts): Hono {
  const app = new Hono();
  app.get('/healthz', (c) => c.text('ok\n'));
  app.get('/readyz', (c) => (parts.state().ready && parts.accepting() ? c.text('ready\n') : c.text('not ready\n', 503)));
  app.get('/metrics', async (c) => {
    const { text, contentType } = await parts.metrics(await parts.counters());
    return c.text(text, 200, { 'content-type': contentType });
  });
  app.get('/admin/routes', async (c) => c.json(routeViews(parts.state().model ?? EMPTY, await parts.counters())));
  app.get('/admin/generations', (c) => c.json(parts.generations()));
  app.get('/admin/diagnostics', (c) => c.json(parts.state().diagnostics));
  app.get('/admin/certificates', (c) =>
    c.json(
      (parts.state().model?.certificates ?? []).map(({ id, names, notAfter }) => ({
        id,
        names,
        notAfter: new Date(notAfter).toISOString(),
      })),
    ),
  );
  const pages = { '/': 'page.html', '/page.css': 'page.css', '/page.js': 'page.js' } as const;
  for (const [path, file] of Object.entries(pages))
    app.get(path, (c) => c.body(pageFile(file), 200, { 'content-type': contentType(file), ...SECURITY_HEADERS }));
  return app;
}

const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
} as const;

const PAGE = {
  html: new URL('./ui/page.html', import.meta.url),
  css: new URL('./ui/page.css', import.meta.url),
  js: new URL('./ui/page.js', import.meta.url),
};

function pageFile(file: 'page.html' | 'page.css' | 'page.js'): string {
  const kind = file === 'page.html' ? 'html' : file === 'page.css' ? 'css' : 'js';
  return readFileSync(PAGE[kind], 'utf8');
}

function contentType(file: string): string {
  if (file.endsWith('.css')) return 'text/css; charset=utf-8';
  return file.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'text/html; charset=utf-8';
}

export interface AdminServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Listens; an address in use is the caller's to report. */
export function startAdmin(parts: AdminParts, address: { readonly host: string; readonly port: number }): Promise<AdminServer> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: adminApp(parts).fetch, hostname: address.host, port: address.port }, (info) => {
      resolve({
        port: info.port,
        stop: () =>
          new Promise((done) => {
            server.close(() => done());
            if ('closeAllConnections' in server) server.closeAllConnections();
          }),
      });
    });
    server.once('error', reject);
  });
}
