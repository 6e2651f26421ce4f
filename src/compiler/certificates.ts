import { diagnostic, type Diagnostic, quote } from '../diagnostics/diagnostic.ts';
import type { Certificate } from '../model/model.ts';
import { compareText } from '../model/origin.ts';
import { objectOrigin } from '../objects/origin.ts';
import { objectKey, type Snapshot } from '../objects/snapshot.ts';
import type { IngressTls } from '../objects/types.ts';
import { readCertificate } from '../resources/core/certificate.ts';
import type { CompileSettings } from './settings.ts';
import type { Translated } from './translate.ts';

/**
 * Certificates by SNI name. The oldest object that lists a host decides which Secret it shows; a Secret
 * without hosts in its entry answers the names in the certificate itself. `certificates[0]` of an empty
 * name list is the default. `aliases`: other names by host.
 */
export function compileCertificates(
  translated: readonly Translated[],
  aliases: ReadonlyMap<string, readonly string[]>,
  snapshot: Snapshot,
  settings: CompileSettings,
  memory: WeakMap<object, Certificate | string>,
): { certificates: readonly Certificate[]; diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const names = new Map<string, Set<string>>();
  const taken = new Set<string>();
  const certificates = new Map<string, Certificate>();
  const ordered = [...translated].sort((a, b) => a.ingress.metadata.createdAt - b.ingress.metadata.createdAt);
  for (const { ingress } of ordered) {
    for (const [index, entry] of ingress.spec.tls.entries()) {
      if (entry.secretName === undefined || entry.secretName === '') continue;
      const origin = objectOrigin(ingress, `spec.tls[${entry.index ?? index}]`);
      const key = objectKey(ingress.metadata.namespace, entry.secretName);
      const read = readSecret(key, snapshot, memory);
      if (typeof read === 'string') {
        diagnostics.push(diagnostic(snapshot.secrets.has(key) ? 'InvalidCertificate' : 'SecretMissing', origin, read));
        continue;
      }
      certificates.set(key, read);
      const own = names.get(key) ?? new Set<string>();
      names.set(key, own);
      for (const host of sniNames(entry, read)) {
        if (taken.has(host)) continue;
        taken.add(host);
        own.add(host);
      }
    }
  }
  addAliasNames(aliases, names, certificates, taken);
  const list = [...certificates].map(([id, certificate]) => ({ ...certificate, id, names: [...(names.get(id) ?? [])].sort(compareText) }));
  const fallback = defaultCertificate(settings, snapshot, memory, diagnostics);
  return {
    certificates: [...(fallback ? [fallback] : []), ...list.filter((one) => one.names.length > 0).sort((a, b) => compareText(a.id, b.id))],
    diagnostics,
  };
}

/** An alias shows its host's certificate if that names it too. */
function addAliasNames(
  aliases: ReadonlyMap<string, readonly string[]>,
  names: ReadonlyMap<string, Set<string>>,
  certificates: ReadonlyMap<string, Certificate>,
  taken: Set<string>,
): void {
  if (aliases.size === 0) return;
  for (const [key, own] of names) {
    const covered = certificates.get(key)?.names ?? [];
    for (const alias of [...own].flatMap((host) => aliases.get(host) ?? [])) {
      if (taken.has(alias) || !isCovered(alias, covered)) continue;
      taken.add(alias);
      own.add(alias);
    }
  }
}

function isCovered(name: string, covered: readonly string[]): boolean {
  return covered.includes(name) || covered.includes(name.replace(/^[^.]*/, '*'));
}

function sniNames(entry: IngressTls, certificate: Certificate): readonly string[] {
  return entry.hosts.length > 0 ? entry.hosts : certificate.names;
}

function defaultCertificate(
  settings: CompileSettings,
  snapshot: Snapshot,
  memory: WeakMap<object, Certificate | string>,
  diagnostics: Diagnostic[],
): Certificate | undefined {
  const key = settings.defaultCertificate;
  if (key === undefined) return undefined;
  const read = readSecret(key, snapshot, memory);
  if (typeof read !== 'string') return { ...read, id: 'default', names: [] };
  const [namespace = '', name = ''] = key.split('/');
  diagnostics.push(
    diagnostic(snapshot.secrets.has(key) ? 'InvalidCertificate' : 'SecretMissing', { kind: 'Secret', namespace, name }, read),
  );
  return undefined;
}

/** The certificate, or one sentence on why there is none. */
function readSecret(key: string, snapshot: Snapshot, memory: WeakMap<object, Certificate | string>): Certificate | string {
  const secret = snapshot.secrets.get(key);
  if (secret === undefined) return `There is no Secret ${quote(key)}; the default certificate is shown.`;
  const known = memory.get(secret);
  if (known !== undefined) return known;
  const read = readCertificate(secret);
  memory.set(secret, read);
  return read;
}
