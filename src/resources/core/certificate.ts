import { createPrivateKey, X509Certificate } from 'node:crypto';
import { quote } from '../../diagnostics/diagnostic.ts';
import type { Certificate } from '../../model/model.ts';
import { Secret } from '../../model/secret.ts';
import { objectOrigin } from '../../objects/origin.ts';
import type { KubeSecret } from '../../objects/types.ts';

/** A TLS Secret's pair, checked: the key belongs to the first certificate of the chain. Else one plain sentence. */
export function readCertificate(secret: KubeSecret): Certificate | string {
  const { namespace, name } = secret.metadata;
  const label = `Secret ${quote(`${namespace}/${name}`)}`;
  const chain = text(secret, 'tls.crt');
  const key = text(secret, 'tls.key');
  if (chain === undefined || key === undefined) return `${label} lacks tls.crt or tls.key; the default certificate is shown.`;
  try {
    const leaf = new X509Certificate(chain);
    if (!leaf.checkPrivateKey(createPrivateKey(key)))
      return `In ${label} tls.key does not belong to tls.crt; the default certificate is shown.`;
    return {
      id: `${namespace}/${name}`,
      pem: new Secret(`${normalise(chain)}${normalise(key)}`),
      names: subjectNames(leaf),
      notAfter: Date.parse(leaf.validTo),
      origin: objectOrigin(secret),
    };
  } catch {
    return `${label} does not hold a certificate and key in PEM; the default certificate is shown.`;
  }
}

function text(secret: KubeSecret, key: string): string | undefined {
  const bytes = secret.data.get(key);
  return bytes === undefined || bytes.length === 0 ? undefined : Buffer.from(bytes).toString('utf8');
}

/** Only whole PEM blocks reach the data plane: no comments, no stray text, one newline at the end of each. */
function normalise(pem: string): string {
  const blocks = pem.match(/-----BEGIN [A-Z0-9 ]+-----[A-Za-z0-9+/=\s]+-----END [A-Z0-9 ]+-----/g) ?? [];
  return blocks.map((block) => `${block.replaceAll('\r', '').replace(/\n\s*\n/g, '\n')}\n`).join('');
}

/** DNS names of the certificate, lower case: the alternative names, else the common name (RFC 6125). */
function subjectNames(leaf: X509Certificate): readonly string[] {
  const alternatives = (leaf.subjectAltName ?? '')
    .split(', ')
    .flatMap((entry) => (entry.startsWith('DNS:') ? [entry.slice(4).toLowerCase()] : []));
  if (alternatives.length > 0) return alternatives;
  const common = /(?:^|\n)CN=([^\n]+)/.exec(leaf.subject)?.[1]?.toLowerCase();
  return common !== undefined && /^(\*\.)?[a-z0-9.-]+$/.test(common) ? [common] : [];
}
