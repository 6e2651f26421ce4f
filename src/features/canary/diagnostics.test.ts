import { expect, test } from 'vitest';
import { compileText } from '../../testing/harness.ts';

const MANIFESTS = `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: canary
  annotations:
    nginx.ingress.kubernetes.io/canary: 'true'
    nginx.ingress.kubernetes.io/canary-weight: '10'
    nginx.ingress.kubernetes.io/proxy-read-timeout: '5'
    nginx.ingress.kubernetes.io/proxy-connect-timeout: '5'
spec:
  rules: [{ host: app.example, http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: v2, port: { number: 80 } } } }] } }]
`;

test('a key that a canary has from production is named; one of its own backend is not', () => {
  const { diagnostics } = compileText(MANIFESTS);
  expect(diagnostics.map(({ code }) => code).sort()).toEqual(['AnnotationNoOp', 'CanaryOrphan']);
  expect(diagnostics.filter(({ code }) => code === 'AnnotationNoOp').map(({ origin }) => origin.field)).toEqual([
    expect.stringContaining('proxy-read-timeout'),
  ]);
});
