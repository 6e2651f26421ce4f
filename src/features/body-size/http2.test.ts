import { connect } from 'node:http2';
import { describe, expect, test } from 'vitest';
import { FEATURE_DEFAULTS, type FeatureSettings } from '../contract/settings.ts';
import { Harness } from '../../testing/harness.ts';

const MANIFESTS = `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
  annotations:
    nginx.ingress.kubernetes.io/proxy-body-size: 1k
spec:
  rules:
    - host: web.example
      http:
        paths:
          - { path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }
---
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  ports:
    - port: 80
`;

/** Frames of HTTP/2 end a body by themselves, so that it needs no length and no chunks. */
describe.each(['3.4', '3.2'] as const)('bodies of HTTP/2 on %s', (version) => {
  test.each([
    { undeclared: 'pass', bytes: 5_000, declared: false, status: 200 },
    { undeclared: 'pass', bytes: 5_000, declared: true, status: 413 },
    { undeclared: 'refuse', bytes: 10, declared: false, status: 411 },
    { undeclared: 'refuse', bytes: 10, declared: true, status: 200 },
    { undeclared: 'refuse', bytes: 0, declared: false, status: 200 },
    { undeclared: 'count', bytes: 0, declared: false, status: 200 },
    { undeclared: 'count', bytes: 1_024, declared: false, status: 200 },
    { undeclared: 'count', bytes: 1_025, declared: false, status: 413 },
  ] as const)('$bytes bytes, length given: $declared, $undeclared', async ({ undeclared, bytes, declared, status }) => {
    const features: FeatureSettings = { ...FEATURE_DEFAULTS, undeclaredBodies: undeclared };
    const harness = await Harness.start(MANIFESTS, { version, compile: { features } });
    try {
      expect(await post(harness.ports.https, bytes, { declared })).toBe(status);
    } finally {
      await harness.stop();
    }
  });
});

function post(port: number, bytes: number, { declared }: { readonly declared: boolean }): Promise<number> {
  return new Promise((resolve, reject) => {
    const session = connect(`https://127.0.0.1:${port}`, { servername: 'web.example', rejectUnauthorized: false });
    session.on('error', reject);
    const stream = session.request(
      { ':method': 'POST', ':path': '/', ':authority': 'web.example', ...(declared ? { 'content-length': String(bytes) } : {}) },
      { endStream: bytes === 0 },
    );
    stream.on('error', () => {});
    stream.on('response', (headers) => {
      resolve(headers[':status'] ?? 0);
      session.destroy();
    });
    if (bytes > 0) stream.end('x'.repeat(bytes));
  });
}
