import { expect, test } from 'vitest';
import { Harness } from '../../testing/harness.ts';

const MANIFESTS = `
apiVersion: v1
kind: Service
metadata: { name: app, annotations: { test/endpoints: '8' } }
spec: { ports: [{ port: 80 }] }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: app
  annotations:
    nginx.ingress.kubernetes.io/upstream-hash-by: $request_uri
    nginx.ingress.kubernetes.io/upstream-hash-by-subset: 'true'
    nginx.ingress.kubernetes.io/upstream-hash-by-subset-size: '2'
spec:
  rules: [{ host: app.example, http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: app, port: { number: 80 } } } }] } }]
`;

test('a text is spread over two endpoints at most, and most texts over two', async () => {
  const harness = await Harness.start(MANIFESTS);
  try {
    let pairs = 0;
    for (let text = 0; text < 20; text += 1) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => harness.send({ method: 'GET', url: `http://app.example/${text}` })),
      );
      const endpoints = new Set(answers.map(({ body }) => /"service":"([^"]*)"/.exec(body)?.[1]));
      expect(endpoints.size).toBeLessThanOrEqual(2);
      if (endpoints.size === 2) pairs += 1;
    }
    // Two draws of eight endpoints are equal one time in eight.
    expect(pairs).toBeGreaterThanOrEqual(10);
  } finally {
    await harness.stop();
  }
});
