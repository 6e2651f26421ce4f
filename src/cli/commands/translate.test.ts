import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { Secret } from '../../model/secret.ts';
import { selfSignedCertificate } from '../../tls/self-signed.ts';
import { plain } from '../output/plain.ts';
import { ramjet, ramjetJson } from '../testing/run.ts';

const FIXTURES = fileURLToPath(new URL('./fixtures/', import.meta.url));
const options = { cwd: FIXTURES };

const pem = selfSignedCertificate({ name: 'secret.example', now: new Date(), serial: randomBytes(16) });
const split = pem.indexOf('-----BEGIN PRIVATE KEY');
const SECRET = {
  certificate: {
    'tls.crt': Buffer.from(pem.slice(0, split)).toString('base64'),
    'tls.key': Buffer.from(pem.slice(split)).toString('base64'),
  },
  password: 'user:$apr1$SALTSALT$qUJwhXKPRrDlRVGPcg6Gd/',
};

/** A certificate and a password file, in use. */
const secretive = [
  { apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls', metadata: { name: 'tls', namespace: 'shop' }, data: SECRET.certificate },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'users', namespace: 'shop' }, stringData: { auth: SECRET.password } },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name: 'secret',
      namespace: 'shop',
      annotations: { 'nginx.ingress.kubernetes.io/auth-type': 'basic', 'nginx.ingress.kubernetes.io/auth-secret': 'users' },
    },
    spec: {
      tls: [{ hosts: ['secret.example'], secretName: 'tls' }],
      rules: [
        {
          host: 'secret.example',
          http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { name: 'http' } } } }] },
        },
      ],
    },
  },
]
  .map((object) => JSON.stringify(object))
  .join('\n---\n');

describe('ramjet translate', () => {
  test('to the model, as YAML and as JSON', async () => {
    const { code, stdout, stderr } = await ramjet(['translate', 'shop.yaml'], options);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const model = parse(stdout);
    expect(Object.keys(model)).toEqual(['hosts', 'routes', 'backends', 'certificates']);
    expect(model.routes).toHaveLength(3);
    expect(
      model.routes.find(
        (route: { host: { name?: string }; path: { type: string } }) =>
          route.host.name === 'shop.example' && route.path.type === 'segments',
      ),
    ).toMatchObject({
      backend: 'shop_web_http',
      canaries: [{ backend: 'shop_web-canary_http', weight: 20, total: 100 }],
    });
    expect(await ramjetJson(['translate', '-o', 'json', 'shop.yaml'], options)).toEqual(model);
  });

  test('to the configuration of either HAProxy', async () => {
    const { stdout } = await ramjet(['translate', '--to', 'config', '--http', ':81', 'shop.yaml'], options);
    expect(stdout).toMatch(/^global\n/);
    expect(stdout).toContain('\n  bind :81\n');
    expect(stdout).toContain('backend shop_web_http from p_');
    expect(stdout).toContain('map_beg(/run/ramjet/maps/routes.map)');
    const plan = await ramjetJson(['translate', '--to', 'plan', '-o', 'json', '--haproxy-version', '3.2', 'shop.yaml'], options);
    expect(plan).toMatchObject({
      version: '3.2',
      backends: { shop_web_http: { servers: { '192.0.2.1:80': { address: '192.0.2.1:80' } } } },
    });
  });

  test('to maps, one section each', async () => {
    const { stdout } = await ramjet(['translate', '--to', 'maps', 'shop.yaml'], options);
    expect(stdout).toMatch(/^# routes\n/);
    expect(stdout).toMatch(/\nshop\.example\/cart\/# shop_web_http\|[a-z0-9]+\|/);
    expect([...stdout.matchAll(/^# (\w+)$/gm)].map(([, name]) => name)).toEqual(
      expect.arrayContaining(['routes', 'wild', 'hosts', 'regex', 'canary', 'access']),
    );
  });

  test.each(['model', 'plan', 'config', 'maps'])('%s is the same every time, and hides what is secret', async (form) => {
    const run = () => ramjet(['translate', '--to', form, 'shop.yaml', '-'], { ...options, stdin: secretive });
    const first = await run();
    expect(first.code).toBe(0);
    expect((await run()).stdout).toBe(first.stdout);
    expect(first.stdout).not.toMatch(/PRIVATE KEY|SALTSALT|qUJwhXKP/);
    if (form === 'model' || form === 'plan') expect(first.stdout).toMatch(/pem: "?\[redacted\]/);
  });

  test('what there is to say goes to standard error', async () => {
    const { code, stdout, stderr } = await ramjet(['translate', '--to', 'maps', 'faults.yaml'], options);
    expect(code).toBe(0);
    expect(stdout).toContain('shop.example/');
    expect(stderr).toContain('faults.yaml:12 error InvalidAnnotation Ingress shop/faulty');
  });

  test('plain values', () => {
    const value = {
      map: new Map<string, unknown>([['a', new Secret('x')]]),
      set: new Set([1n]),
      bytes: new Uint8Array(3),
      none: undefined,
      list: [null, true],
    };
    expect(plain(value)).toEqual({ map: { a: '[redacted]' }, set: ['1'], bytes: '[3 bytes]', list: [null, true] });
  });
});
