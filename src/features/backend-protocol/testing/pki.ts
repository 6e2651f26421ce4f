import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Pair {
  readonly certificate: string;
  readonly key: string;
}

/** A CA of its own for a test, good for a day. */
export class TestCa {
  readonly certificate: string;
  readonly #key: string;

  constructor(name: string) {
    const { certificate, key } = inFolder((path) => {
      openssl(
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-days',
        '1',
        '-subj',
        `/CN=${name}`,
        '-keyout',
        path('key'),
        '-out',
        path('crt'),
      );
      return { certificate: readFileSync(path('crt'), 'utf8'), key: readFileSync(path('key'), 'utf8') };
    });
    this.certificate = certificate;
    this.#key = key;
  }

  issue(name: string): Pair {
    return inFolder((path) => {
      writeFileSync(path('ca'), this.certificate);
      writeFileSync(path('cakey'), this.#key);
      writeFileSync(path('ext'), `subjectAltName=DNS:${name}\n`);
      openssl(
        'req',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-subj',
        `/CN=${name}`,
        '-keyout',
        path('key'),
        '-out',
        path('csr'),
      );
      openssl(
        'x509',
        '-req',
        '-days',
        '1',
        '-in',
        path('csr'),
        '-CA',
        path('ca'),
        '-CAkey',
        path('cakey'),
        '-set_serial',
        String(Date.now()),
        '-extfile',
        path('ext'),
        '-out',
        path('crt'),
      );
      return { certificate: readFileSync(path('crt'), 'utf8'), key: readFileSync(path('key'), 'utf8') };
    });
  }
}

function inFolder<T>(work: (path: (name: string) => string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'ramjet-pki-'));
  try {
    return work((name) => join(folder, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: 'pipe' });
}
