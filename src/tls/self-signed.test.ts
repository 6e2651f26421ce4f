import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { selfSignedCertificate } from './self-signed.ts';

test('a self-signed certificate is what node and openssl expect', () => {
  const pem = selfSignedCertificate({ name: 'ramjet.invalid', now: new Date('2026-11-30T00:00:00Z'), serial: Uint8Array.of(0x90, 1, 2) });
  const certificate = new X509Certificate(pem);
  expect(certificate.checkHost('ramjet.invalid')).toBe('ramjet.invalid');
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkPrivateKey(createPrivateKey(pem.slice(pem.indexOf('-----BEGIN PRIVATE'))))).toBe(true);
  expect(certificate.serialNumber).toBe('900102');
  expect(new Date(certificate.validTo).toISOString()).toBe('2027-11-30T00:00:00.000Z');
  expect(execFileSync('openssl', ['x509', '-noout', '-subject', '-ext', 'subjectAltName'], { input: pem, encoding: 'utf8' })).toContain(
    'DNS:ramjet.invalid',
  );
});
