import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { selfSignedCertificate } from '../src/tls/self-signed.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const BACKENDS = { web: 18081, 'web-canary': 18082, api: 18083 } as const;

/** Small backends that say who they are and what they were asked. */
function startBackends(): void {
  for (const [name, port] of Object.entries(BACKENDS)) {
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'text/plain; charset=utf-8');
      response.end(`${name} answers ${request.method ?? ''} ${request.url ?? ''}\n`);
    });
    server.keepAliveTimeout = 60_000;
    server.on('error', (error) => {
      process.stderr.write(`The backend ${name} can't listen on port ${port}: ${error.message}\n`);
      process.exit(1);
    });
    server.listen(port, '127.0.0.1');
  }
}

function writeCertificates(directory: string): void {
  const secrets = ['shop', 'admin'].map((name) => {
    const pem = selfSignedCertificate({ name: `${name}.localhost`, now: new Date(), serial: randomBytes(16) });
    const split = pem.indexOf('-----BEGIN PRIVATE KEY');
    const data = {
      'tls.crt': Buffer.from(pem.slice(0, split)).toString('base64'),
      'tls.key': Buffer.from(pem.slice(split)).toString('base64'),
    };
    return JSON.stringify({
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/tls',
      metadata: { name: `${name}-tls`, namespace: 'shop' },
      data,
    });
  });
  writeFileSync(join(directory, 'certificates.yaml'), secrets.join('\n---\n'));
}

const GUIDE = `
The shop is served.

  shop        http://shop.localhost:8080/   https://shop.localhost:8443/
  admin page  http://127.0.0.1:10254/

Try:
  curl -H 'Host: shop.localhost' http://127.0.0.1:8080/                        # 20 % answers come from the canary
  curl -H 'Host: shop.localhost' -H 'X-Canary: always' http://127.0.0.1:8080/  # always the canary
  curl -H 'Host: shop.localhost' http://127.0.0.1:8080/api/users               # rewritten to /users

Change examples/shop/shop.yaml and ask again. Ctrl-C ends everything.

`;

async function untilReady(): Promise<boolean> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const answer = await fetch('http://127.0.0.1:10254/readyz').catch(() => undefined);
    if (answer?.ok) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

const certificates = mkdtempSync(join(tmpdir(), 'ramjet-shop-'));
process.once('exit', () => rmSync(certificates, { recursive: true, force: true }));
writeCertificates(certificates);
startBackends();
const ramjet = spawn(
  process.execPath,
  [join(root, 'bin/ramjet.mjs'), 'serve', join(root, 'examples/shop'), certificates, '--drain', '1s'],
  { stdio: ['ignore', 'inherit', 'inherit'] },
);
ramjet.once('exit', (code) => process.exit(code ?? 1));
// A terminal sends Ctrl-C to the whole group; a signal to this process alone is handed on.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ramjet.kill(signal));
if (await untilReady()) process.stdout.write(GUIDE);
