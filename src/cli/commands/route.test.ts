import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ramjet, ramjetJson } from '../testing/run.ts';

const options = { cwd: fileURLToPath(new URL('./fixtures/', import.meta.url)) };

describe('ramjet route', () => {
  test('text', async () => {
    const { code, stdout, stderr } = await ramjet(['route', 'GET', 'http://shop.example/a/../b?x=1', 'shop.yaml'], options);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.replace(/\n {2}Policies: .*/, '')).toBe(
      [
        'GET http://shop.example/a/../b?x=1',
        '  Path:      /b',
        '  Route:     shop.example/ (Ingress shop/web at shop.yaml:24)',
        '  Backend:   shop/web:http, 80 %',
        '  Canary:    by weight: 80 % shop/web:http, 20 % shop/web-canary:http (Ingress shop/web-canary)',
        '',
        'Lost:',
        '  */ (Ingress shop/web at shop.yaml:28)',
        '    another host of the model fits the name more exactly, and a known host does not fall through',
        '  shop.example/cart exactly (Ingress shop/web at shop.yaml:25)',
        '    the path does not match',
        '',
      ].join('\n'),
    );
  });

  test('json has exactly these fields', async () => {
    const view = await ramjetJson(['route', 'GET', 'shop.example', '-H', 'x-canary:always', '-o', 'json', 'shop.yaml'], options);
    expect(Object.keys(view ?? {})).toEqual(['route', 'backend', 'canary', 'policies', 'losers', 'answer', 'path', 'unevaluated']);
    const canary = { id: 'shop_web-canary_http', namespace: 'shop', service: 'web-canary', port: 'http', percent: 100 };
    expect(view).toMatchObject({
      route: {
        host: 'shop.example',
        pathType: 'segments',
        path: '/',
        object: { kind: 'Ingress', namespace: 'shop', name: 'web' },
        file: 'shop.yaml',
        line: 24,
      },
      backend: canary,
      canary: {
        decidedBy: 'rule',
        to: 'canary',
        rule: { on: 'header', name: 'x-canary', match: { type: 'always-never' } },
        shares: [{ ...canary, object: { kind: 'Ingress', namespace: 'shop', name: 'web-canary' } }],
      },
      policies: { access: { allow: ['10.0.0.0/8'] } },
      losers: [
        { host: '*', reason: 'host' },
        { path: '/cart', reason: 'path' },
      ],
      answer: null,
      path: '/',
    });
  });

  test.each([
    [['http://shop.example/cart'], 'Backend:   shop/web:http\n'],
    [['https://SHOP.example:8443/cart'], 'shop/web:http'],
    [['http://shop.example/', '-H', 'X-Canary: never'], 'shop/web:http'],
    [['http://other.example/', '-H', 'Host: shop.example', '-H', 'x-canary: always'], 'shop/web-canary:http'],
    [['http://other.example/ä b'], 'Path:      /%C3%A4%20b'],
  ])('%j', async (args, text) => {
    const { code, stdout } = await ramjet(['route', 'GET', ...args, 'shop.yaml'], options);
    expect(code).toBe(0);
    expect(stdout).toContain(text);
  });

  test('access lists are asked with an address', async () => {
    expect((await ramjet(['route', 'GET', 'http://shop.example/', '--from', '10.1.2.3', 'shop.yaml'], options)).code).toBe(0);
    const refused = await ramjet(['route', 'GET', 'http://shop.example/', '--from', '2001:db8::1', 'shop.yaml'], options);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('403: The access list of the route refuses 2001:db8::1.');
  });

  test.each([
    ['http://shop.example/%zz', '400: '],
    ['http://shop.example/../..', '400: '],
  ])('%s has no backend', async (url, text) => {
    const { code, stdout } = await ramjet(['route', 'GET', url, 'shop.yaml'], options);
    expect(code).toBe(1);
    expect(stdout).toContain(`Answer:    ${text}`);
  });

  test('a Service that is missing answers 503, an unknown host 404', async () => {
    const view = await ramjetJson(['route', 'GET', 'http://shop.example/', '-o', 'json', 'faults.yaml'], options);
    expect(view).toMatchObject({ route: { object: { name: 'faulty' } }, backend: null, answer: { status: 503 } });
    expect((await ramjet(['route', 'GET', 'http://nobody.example/', 'faults.yaml'], options)).stdout).toContain('404: No route matches.');
  });

  test.each([
    [['http://shop.example/', 'shop.yaml', 'shop.yaml'], 'is not a method'],
    [['GET', '/cart', 'shop.yaml'], 'is not a URL'],
    [['GET', 'http://shop.example/', '-H', 'nonsense', 'shop.yaml'], 'is not a header'],
    [['GET', 'http://shop.example/', '-H', 'a: b\r\nc: d', 'shop.yaml'], 'is not a header'],
    [['GET', 'http://shop.example/', '--from', 'me', 'shop.yaml'], 'is not an IP address'],
    [['GET', 'http://shop.example/'], "missing required argument 'PATHS'"],
  ])('%j is refused', async (args, text) => {
    const { code, stdout, stderr } = await ramjet(['route', ...args], options);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(text);
  });
});
