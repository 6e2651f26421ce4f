import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Harness } from '../../testing/harness.ts';
import { TestCa } from './testing/pki.ts';
import { DIALECTS, type ServiceName } from './testing/tls-rows.ts';
import { plainUpstream, rawUpstream, tlsUpstream, type Upstream } from './testing/upstreams.ts';

const upstreams = new Map<ServiceName, Upstream>();
const secrets: Record<string, Readonly<Record<string, string>>> = {};

beforeAll(async () => {
  const ca = new TestCa('pods');
  const clients = new TestCa('clients');
  const pair = ca.issue('pod.internal');
  const client = clients.issue('gateway');
  const clientCa = clients.certificate;
  upstreams.set('plain', await plainUpstream('h1'));
  upstreams.set('h2c', await plainUpstream('h2'));
  upstreams.set('tls', await tlsUpstream({ http: 'h1', pair, clientCa }));
  upstreams.set('tls-h2', await tlsUpstream({ http: 'h2', pair, clientCa }));
  upstreams.set('raw', await rawUpstream());
  Object.assign(secrets, {
    ca: { 'ca.crt': `a comment\n${ca.certificate}\n\n${clients.certificate}` },
    client: { 'tls.crt': client.certificate, 'tls.key': client.key },
    both: { 'ca.crt': ca.certificate, 'tls.crt': client.certificate, 'tls.key': client.key },
    'other-ca': { 'ca.crt': clients.certificate },
    crl: { 'ca.crt': ca.certificate, 'ca.crl': 'x' },
    empty: { other: 'x' },
    garbage: { 'ca.crt': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n' },
    unpaired: { 'tls.crt': client.certificate, 'tls.key': pair.key },
  });
});

afterAll(async () => {
  await Promise.all([...upstreams.values()].map((upstream) => upstream.stop()));
});

function manifests({ prefix, className, rows }: (typeof DIALECTS)[number]): string {
  const ingresses = Object.entries(rows).map(([name, row]) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, annotations: Object.fromEntries(Object.entries(row.annotations).map(([key, value]) => [`${prefix}/${key}`, value])) },
    spec: {
      ingressClassName: className,
      rules: [
        {
          host: `${className}-${name}.example`,
          http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: row.service, port: { number: 80 } } } }] },
        },
      ],
    },
  }));
  const services = [...upstreams].map(([name, { port }]) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, annotations: { 'ramjet.dev/endpoints': `127.0.0.1:${port}` } },
    spec: { ports: [{ port: 80 }] },
  }));
  const kept = Object.entries(secrets).map(([name, stringData]) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData }));
  const elsewhere = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'ca', namespace: 'elsewhere' }, stringData: secrets['ca'] };
  return [...ingresses, ...services, ...kept, elsewhere].map((object) => `${JSON.stringify(object)}\n`).join('---\n');
}

describe.each(['3.4', '3.2'] as const)('HAProxy %s', (version) => {
  describe.each(DIALECTS)('$name', (dialect) => {
    let harness: Harness;

    beforeAll(async () => {
      harness = await Harness.start(manifests(dialect), { version });
    });

    afterAll(() => harness.stop());

    test.concurrent.each(Object.entries(dialect.rows))('%s', async (name, row) => {
      const said = harness.compiled.diagnostics.filter(
        (one) => one.severity !== 'info' && one.origin.kind === 'Ingress' && one.origin.name === name,
      );
      expect(said.map((one) => one.code).sort(), JSON.stringify(said)).toEqual([...(row.codes ?? [])].sort());
      const response = await harness.send({ method: 'GET', url: `http://${dialect.className}-${name}.example/` });
      if (typeof row.expect === 'number') {
        expect(response.status, response.body).toBe(row.expect);
        return;
      }
      expect(response.status, harness.log).toBe(200);
      const { startsWith } = row.expect;
      if (typeof startsWith === 'string') expect(response.body.slice(0, startsWith.length)).toBe(startsWith);
      else expect(JSON.parse(response.body)).toMatchObject(row.expect);
    });
  });
});
