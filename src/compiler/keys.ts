import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { DIALECT_NAMES, DIALECTS, FAMILY_PREFIXES, type Dialect } from '../features/contract/dialect.ts';
import type { RegisteredKey } from '../features/contract/key.ts';
import { keyStatus, type Registry } from '../features/contract/registry.ts';
import type { Ingress } from '../objects/types.ts';
import { annotationField, objectOrigin } from '../objects/origin.ts';
import { nearest } from './spelling.ts';

/** Prefixes of other controllers, named so that nobody wonders why their keys do nothing. */
const FOREIGN_PREFIXES: Readonly<Record<string, string>> = {
  'nginx.org': 'F5 NGINX Ingress Controller',
  'nginx.com': 'F5 NGINX Ingress Controller',
  'haproxy.org': 'HAProxy Kubernetes Ingress Controller',
  'haproxy-ingress.github.io': 'haproxy-ingress',
  'traefik.ingress.kubernetes.io': 'Traefik',
  'konghq.com': 'Kong',
  'alb.ingress.kubernetes.io': 'AWS Load Balancer Controller',
  'projectcontour.io': 'Contour',
};

const PREFIX_DIALECT: ReadonlyMap<string, Dialect> = new Map(
  DIALECT_NAMES.flatMap((dialect) => DIALECTS[dialect].prefixes.map((prefix) => [prefix, dialect] as const)),
);

/** What there is to say about the keys of an object beside their values: unknown, pending, refused, without effect. */
export function reportKeys(ingress: Ingress, registry: Registry, isCanary: boolean): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const fullKey of Object.keys(ingress.metadata.annotations)) {
    const slash = fullKey.indexOf('/');
    if (slash < 0) continue;
    const prefix = fullKey.slice(0, slash);
    const origin = objectOrigin(ingress, annotationField(fullKey));
    const foreign = Object.hasOwn(FOREIGN_PREFIXES, prefix) ? FOREIGN_PREFIXES[prefix] : undefined;
    if (foreign !== undefined)
      diagnostics.push(diagnostic('ForeignAnnotation', origin, `\`${fullKey}\` belongs to ${foreign}; Ramjet does not read it.`));
    const dialect = PREFIX_DIALECT.get(prefix);
    if (dialect === undefined) continue;
    const name = fullKey.slice(slash + 1);
    const entry = findKey(registry, dialect, name);
    if (entry === undefined) diagnostics.push(unknownKey(registry, dialect, prefix, name, origin));
    else {
      diagnostics.push(...statusDiagnostics(entry, fullKey, origin));
      if (isCanary && isInherited(entry, registry))
        diagnostics.push(
          diagnostic(
            'AnnotationNoOp',
            origin,
            `\`${fullKey}\` has no effect on a canary: its requests have the policies of the production route.`,
          ),
        );
    }
  }
  return diagnostics;
}

/** What a canary has from its production route. A feature that shapes paths is read all the same, to find that route. */
function isInherited({ feature, spec }: RegisteredKey, registry: Registry): boolean {
  if (keyStatus(spec).is !== 'honoured') return false;
  const found = registry.features.find((one) => one.name === feature);
  return found?.level === 'host' || (found?.level === 'route' && found.onCanary !== 'own' && found.shape === undefined);
}

/** A key of a family may be spelt with any prefix of the family. */
export function findKey(registry: Registry, dialect: Dialect, name: string): RegisteredKey | undefined {
  const own = registry.keys.get(dialect)?.get(name);
  if (own) return own;
  const { family } = DIALECTS[dialect];
  for (const other of DIALECT_NAMES) {
    if (other === dialect || DIALECTS[other].family !== family) continue;
    const entry = registry.keys.get(other)?.get(name);
    if (entry) return entry;
  }
  return undefined;
}

function unknownKey(registry: Registry, dialect: Dialect, prefix: string, name: string, origin: Diagnostic['origin']): Diagnostic {
  const known = FAMILY_PREFIXES[DIALECTS[dialect].family].flatMap((one) => [
    ...(registry.keys.get(PREFIX_DIALECT.get(one) ?? dialect)?.keys() ?? []),
  ]);
  const near = nearest(name, known);
  const message = `\`${prefix}/${name}\` is not a key of this family and has no effect.`;
  return diagnostic('UnknownAnnotation', origin, message, near === undefined ? undefined : `Did you mean \`${prefix}/${near}\`?`);
}

function statusDiagnostics(entry: RegisteredKey, fullKey: string, origin: Diagnostic['origin']): readonly Diagnostic[] {
  const status = keyStatus(entry.spec);
  switch (status.is) {
    case 'honoured':
      return [];
    case 'no-op':
      return [diagnostic('AnnotationNoOp', origin, `\`${fullKey}\` has no meaning here: ${status.why}.`)];
    case 'refused':
      return [diagnostic('AnnotationRefused', origin, `\`${fullKey}\` is not honoured: ${status.reason}.`, status.instead)];
    case 'pending':
      return [diagnostic('AnnotationPending', origin, `\`${fullKey}\` is known and not yet honoured.`)];
  }
}
