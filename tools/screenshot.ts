import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

/**
 * Takes the picture of the admin page in the README: `npm start` in one terminal, then
 * `npx tsx tools/screenshot.ts`. Needs Chromium (`CHROMIUM`, default /usr/bin/chromium).
 */
const root = fileURLToPath(new URL('..', import.meta.url));

function ask(path: string): Promise<void> {
  return new Promise((resolve) => {
    const outgoing = request({ host: '127.0.0.1', port: 8080, path, headers: { host: 'shop.localhost' } }, (response) => {
      response.resume();
      response.on('end', resolve);
    });
    outgoing.on('error', () => resolve());
    outgoing.end();
  });
}

const profile = mkdtempSync(join(tmpdir(), 'ramjet-chromium-'));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  headless: true,
  viewport: { width: 1400, height: 900 },
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
try {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto('http://127.0.0.1:10254/');
  const until = performance.now() + 6_000;
  while (performance.now() < until) await Promise.all([ask('/'), ask('/api/users'), ask('/cart')]);
  await page.screenshot({ path: join(root, 'docs/images/admin.png') });
  if (errors.length > 0) throw new Error(`the page logged errors: ${errors.join('; ')}`);
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}
