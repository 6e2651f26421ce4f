import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made = new Map<string, string>();

/** Certificate and key in PEM for a name, made once per process with openssl. */
export function selfSigned(name = 'ramjet.invalid', alternatives: readonly string[] = [name]): string {
  const known = made.get([name, ...alternatives].join());
  if (known !== undefined) return known;
  const directory = mkdtempSync(join(tmpdir(), 'ramjet-cert-'));
  const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const names = alternatives.map((alternative) => `DNS:${alternative}`).join(',');
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      key,
      '-out',
      certificate,
      '-days',
      '30',
      '-subj',
      `/CN=${name}`,
      '-addext',
      `subjectAltName=${names}`,
    ],
    { stdio: 'ignore' },
  );
  const pem = readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8');
  rmSync(directory, { recursive: true });
  made.set([name, ...alternatives].join(), pem);
  return pem;
}
