import { describe, expect, test } from 'vitest';
import { EchoServer } from '../../testing/echo.ts';
import { Harness } from '../../testing/harness.ts';
import type { HaproxyVersion } from '../../haproxy/feature.ts';

/** What one answer alone can't show: which endpoint the next request of a session reaches. */

interface IngressOptions {
  readonly name: string;
  readonly service: string;
  readonly path?: string;
  readonly annotations: Readonly<Record<string, string>>;
}

function ingress({ name, service, path = '/', annotations }: IngressOptions): object {
  const prefixed = Object.fromEntries(Object.entries(annotations).map(([key, value]) => [`nginx.ingress.kubernetes.io/${key}`, value]));
  const backend = { service: { name: service, port: { number: 80 } } };
  const metadata = { name, annotations: prefixed };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata,
    spec: { rules: [{ host: 'app.example', http: { paths: [{ path, pathType: 'Prefix', backend }] } }] },
  };
}

function service(name: string, annotations: Readonly<Record<string, string>>): object {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name, annotations }, spec: { ports: [{ port: 80 }] } };
}

interface Answer {
  readonly service: string;
  /** `name=value` of the session cookie that the answer sets. */
  readonly cookie: string | undefined;
}

class Browser {
  readonly #harness: Harness;

  constructor(harness: Harness) {
    this.#harness = harness;
  }

  async ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const { body, headers: answered } = await this.#harness.send({ method: 'GET', url: `http://app.example${path}`, headers });
    const set = answered['set-cookie'];
    const [first] = typeof set === 'string' ? [set] : (set ?? []);
    return { service: /"service":"([^"]*)"/.exec(body)?.[1] ?? '', cookie: first?.split(';')[0] };
  }
}

async function browsing(
  objects: readonly object[],
  check: (browser: Browser) => Promise<void>,
  version: HaproxyVersion = '3.4',
): Promise<void> {
  const harness = await Harness.start(objects.map((one) => JSON.stringify(one)).join('\n---\n'), { version });
  try {
    await check(new Browser(harness));
  } finally {
    await harness.stop();
  }
}

const PRODUCTION = ingress({ name: 'app', service: 'v1', annotations: { affinity: 'cookie' } });
const SERVICES = [service('v1', { 'test/endpoints': '2' }), service('v2', { 'test/endpoints': '2' })];

function canary(annotations: Readonly<Record<string, string>>): object {
  return ingress({ name: 'canary', service: 'v2', annotations: { canary: 'true', ...annotations } });
}

describe.each(['3.4', '3.2'] as const)('sessions on %s', (version) => {
  test('a session stays on its endpoint and gets no second cookie', async () => {
    await browsing(
      [...SERVICES, PRODUCTION],
      async (browser) => {
        const endpoints = new Set<string>();
        for (let session = 0; session < 6; session += 1) {
          const begun = await browser.ask('/');
          endpoints.add(begun.service);
          for (let request = 0; request < 8; request += 1)
            expect(await browser.ask('/', { Cookie: `a=b; ${begun.cookie}` })).toEqual({ service: begun.service, cookie: undefined });
        }
        expect(endpoints.size).toBe(2);
        expect((await browser.ask('/', { Cookie: 'INGRESSCOOKIE=p.aaaaaaaaaaaa' })).cookie).toMatch(/^INGRESSCOOKIE=p\./);
      },
      version,
    );
  });

  test('sticky: each side keeps its sessions, whatever the weight', async () => {
    await browsing(
      [...SERVICES, PRODUCTION, canary({ 'canary-weight': '50', 'canary-by-header': 'X-Canary' })],
      async (browser) => {
        for (const side of ['always', 'never']) {
          const begun = await browser.ask('/', { 'X-Canary': side });
          expect(begun.service).toMatch(side === 'always' ? /^default\/v2/ : /^default\/v1/);
          for (let request = 0; request < 20; request += 1)
            expect(await browser.ask('/', { Cookie: String(begun.cookie) })).toEqual({ service: begun.service, cookie: undefined });
          // A rule beats the session, so that testers reach the other side.
          const forced = await browser.ask('/', { Cookie: String(begun.cookie), 'X-Canary': side === 'always' ? 'never' : 'always' });
          expect(forced.service).toMatch(side === 'always' ? /^default\/v1/ : /^default\/v2/);
        }
      },
      version,
    );
  });

  test('legacy: each request is decided anew, the canary sets no cookie', async () => {
    await browsing(
      [...SERVICES, PRODUCTION, canary({ 'canary-weight': '50', 'canary-by-header': 'X-Canary', 'affinity-canary-behavior': 'legacy' })],
      async (browser) => {
        expect((await browser.ask('/', { 'X-Canary': 'always' })).cookie).toBeUndefined();
        const begun = await browser.ask('/', { 'X-Canary': 'never' });
        const answers = await Promise.all(Array.from({ length: 60 }, () => browser.ask('/', { Cookie: String(begun.cookie) })));
        const sides = answers.map((answer) => answer.service);
        expect(sides.some((side) => side.startsWith('default/v2'))).toBe(true);
        // Where production answers, its session is where it was.
        expect(new Set(sides.filter((side) => side.startsWith('default/v1')))).toEqual(new Set([begun.service]));
      },
      version,
    );
  });
});

describe('sessions and weights', () => {
  const begin = async (
    annotations: Readonly<Record<string, string>>,
    header: string,
    check: (browser: Browser, begun: Answer) => Promise<void>,
  ) =>
    browsing([...SERVICES, PRODUCTION, canary({ 'canary-by-header': 'X-Canary', ...annotations })], async (browser) =>
      check(browser, await browser.ask('/', { 'X-Canary': header })),
    );

  test('weight 0 lets sessions return to production', async () => {
    await begin({ 'canary-weight': '0' }, 'always', async (browser, begun) => {
      expect(begun.service).toMatch(/^default\/v2/);
      const back = await browser.ask('/', { Cookie: String(begun.cookie) });
      expect(back.service).toMatch(/^default\/v1/);
      expect(back.cookie).toMatch(/^INGRESSCOOKIE=p\./);
    });
  });

  test('the smallest weight keeps them', async () => {
    await begin({ 'canary-weight': '1' }, 'always', async (browser, begun) => {
      for (let request = 0; request < 20; request += 1)
        expect((await browser.ask('/', { Cookie: String(begun.cookie) })).service).toBe(begun.service);
    });
  });

  test('the whole weight moves production’s sessions', async () => {
    await begin({ 'canary-weight': '100' }, 'never', async (browser, begun) => {
      expect((await browser.ask('/', { Cookie: String(begun.cookie) })).service).toMatch(/^default\/v2/);
    });
  });

  test('two canaries keep their sessions apart', async () => {
    const second = ingress({
      name: 'second',
      service: 'v1',
      annotations: { canary: 'true', 'canary-weight': '20', 'canary-by-cookie': 'second' },
    });
    await browsing([...SERVICES, PRODUCTION, canary({ 'canary-weight': '30', 'canary-by-cookie': 'first' }), second], async (browser) => {
      const marks = new Set<string>();
      for (const name of ['first', 'second']) {
        const begun = await browser.ask('/', { Cookie: `${name}=always` });
        marks.add(String(begun.cookie).split('.')[0] ?? '');
        for (let request = 0; request < 10; request += 1)
          expect((await browser.ask('/', { Cookie: String(begun.cookie) })).service).toBe(begun.service);
      }
      expect(marks.size).toBe(2);
    });
  });
});

test('one pod in two backends has one cookie, so a session survives the step from path to path', async () => {
  const other = ingress({
    name: 'other',
    service: 'v1',
    path: '/other',
    annotations: { affinity: 'cookie', 'load-balance': 'least_conn', 'session-cookie-path': '/' },
  });
  await browsing([...SERVICES, PRODUCTION, other], async (browser) => {
    const begun = await browser.ask('/');
    for (let request = 0; request < 10; request += 1)
      expect(await browser.ask('/other', { Cookie: String(begun.cookie) })).toEqual({ service: begun.service, cookie: undefined });
  });
});

test('a session keeps its endpoint when endpoints are added and HAProxy starts anew', async () => {
  const echoes = ['one', 'two', 'three'].map((name) => new EchoServer(name));
  const addresses = await Promise.all(echoes.map(async (echo) => `127.0.0.1:${await echo.start()}`));
  const endpoints = (count: number) => [service('v1', { 'ramjet.dev/endpoints': addresses.slice(0, count).join(',') }), PRODUCTION];
  try {
    const begun: Answer[] = [];
    await browsing(endpoints(2), async (browser) => {
      for (let session = 0; session < 4; session += 1) begun.push(await browser.ask('/'));
    });
    expect(new Set(begun.map((answer) => answer.service)).size).toBe(2);
    await browsing(endpoints(3), async (browser) => {
      for (const answer of begun)
        expect(await browser.ask('/', { Cookie: String(answer.cookie) })).toEqual({ service: answer.service, cookie: undefined });
    });
  } finally {
    await Promise.all(echoes.map((echo) => echo.stop()));
  }
});
