import { createPrivateKey, X509Certificate } from 'node:crypto';
import { quote } from '../../diagnostics/diagnostic.ts';
import { shortDigest } from '../../model/identity.ts';
import { Secret } from '../../model/secret.ts';
import type { KubeSecret } from '../../objects/types.ts';
import { secretText } from '../values/secrets.ts';
import type { ClientCertificate } from './policy.ts';

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;
const KEY = /-----BEGIN ((?:RSA |EC )?PRIVATE KEY)-----[A-Za-z0-9+/=\s]+-----END \1-----/;

/** What a Secret holds under a purpose; a text is one sentence on what is wrong. Undefined: nothing of it. */
type Found<T> = T | string | undefined;

/** The certificates under `ca.crt`, each one checked to be one. */
export function readCa(secret: KubeSecret): Found<{ readonly ca: string }> {
  const text = secretText(secret, 'ca.crt');
  if (text === undefined) return undefined;
  const blocks = text.match(CERTIFICATES) ?? [];
  try {
    for (const block of blocks) new X509Certificate(block);
  } catch {
    return `${labelOf(secret)} holds under \`ca.crt\` what is not a certificate.`;
  }
  return blocks.length === 0 ? `${labelOf(secret)} holds no certificate in PEM under \`ca.crt\`.` : { ca: joined(blocks) };
}

/** The pair under `tls.crt` and `tls.key`, checked to belong together. */
export function readClientCertificate(secret: KubeSecret): Found<ClientCertificate> {
  const chain = secretText(secret, 'tls.crt');
  const keyText = secretText(secret, 'tls.key');
  if (chain === undefined && keyText === undefined) return undefined;
  if (chain === undefined || keyText === undefined) return `${labelOf(secret)} holds only one of \`tls.crt\` and \`tls.key\`.`;
  const blocks = chain.match(CERTIFICATES) ?? [];
  const key = KEY.exec(keyText)?.[0];
  const [leaf] = blocks;
  try {
    if (leaf === undefined || key === undefined || !new X509Certificate(leaf).checkPrivateKey(createPrivateKey(key))) {
      return `In ${labelOf(secret)} \`tls.crt\` and \`tls.key\` are not a pair in PEM.`;
    }
    for (const block of blocks) new X509Certificate(block);
  } catch {
    return `In ${labelOf(secret)} \`tls.crt\` and \`tls.key\` are not a pair in PEM.`;
  }
  const pem = joined([...blocks, key]);
  return { digest: shortDigest(pem), pem: new Secret(pem) };
}

export function labelOf(secret: KubeSecret): string {
  return `the Secret ${quote(`${secret.metadata.namespace}/${secret.metadata.name}`)}`;
}

/** Whole blocks only, one after the other, without blank lines. */
function joined(blocks: readonly string[]): string {
  return blocks.map((block) => `${block.replaceAll('\r', '').replace(/\n\s*\n/g, '\n')}\n`).join('');
}
