import { diagnostic, type Diagnostic, quote } from '../../diagnostics/diagnostic.ts';
import type { RouteDraft } from '../../features/contract/feature.ts';
import type { HostMatch, PathMatch } from '../../model/model.ts';
import type { Origin } from '../../model/origin.ts';
import { objectOrigin } from '../../objects/origin.ts';
import type { Ingress, IngressBackend, IngressPath, ServiceReference } from '../../objects/types.ts';

/** One path of an Ingress, or a default backend written as the path `/` that gives way to every other. */
export interface IngressPathEntry {
  readonly draft: Omit<RouteDraft, 'policies'>;
  readonly service: ServiceReference | undefined;
  /** A default backend: answers what no path of its host does. */
  readonly isDefault: boolean;
  readonly origin: Origin;
}

/**
 * The paths of an Ingress in the order they were written. `spec.defaultBackend` answers every listed
 * host's other paths, and any host when the object has no rules (networking.k8s.io/v1, IngressSpec).
 */
export function ingressPaths(ingress: Ingress): { entries: readonly IngressPathEntry[]; diagnostics: readonly Diagnostic[] } {
  const entries: IngressPathEntry[] = [];
  const diagnostics: Diagnostic[] = [];
  const tlsHosts = new Set(ingress.spec.tls.flatMap((entry) => entry.hosts));
  const tlsWithoutHosts = ingress.spec.tls.some((entry) => entry.hosts.length === 0);
  const hasTls = (host: string | undefined) => tlsWithoutHosts || (host !== undefined && coveredBy(host, tlsHosts));
  for (const [position, rule] of ingress.spec.rules.entries()) {
    // Numbers as the author counts: a sibling that was refused while parsing still takes its place.
    const ruleIndex = rule.index ?? position;
    const host = hostMatch(rule.host);
    if (host === undefined) {
      const origin = objectOrigin(ingress, `spec.rules[${ruleIndex}].host`);
      diagnostics.push(
        diagnostic('InvalidHost', origin, `The host ${quote(rule.host ?? '')} is not a DNS name; its rules are not served.`),
      );
      continue;
    }
    const tls = hasTls(rule.host);
    for (const [place, path] of rule.paths.entries()) {
      const origin = objectOrigin(ingress, `spec.rules[${ruleIndex}].http.paths[${path.index ?? place}]`);
      const service = serviceOf(path.backend, origin, diagnostics);
      if ('resource' in path.backend) continue;
      if (!isPath(path)) {
        diagnostics.push(diagnostic('InvalidPath', origin, `The path ${quote(path.path)} does not begin with \`/\`; it is not served.`));
        continue;
      }
      entries.push({
        draft: { host, path: pathMatch(path), pathText: path.path, pathType: path.pathType, tls, derived: false },
        service,
        isDefault: false,
        origin,
      });
    }
  }
  entries.push(...defaultEntries(ingress, hasTls, diagnostics));
  return { entries, diagnostics };
}

function defaultEntries(
  ingress: Ingress,
  hasTls: (host: string | undefined) => boolean,
  diagnostics: Diagnostic[],
): readonly IngressPathEntry[] {
  const { defaultBackend, rules } = ingress.spec;
  if (defaultBackend === undefined) return [];
  const origin = objectOrigin(ingress, 'spec.defaultBackend');
  const service = serviceOf(defaultBackend, origin, diagnostics);
  if ('resource' in defaultBackend) return [];
  const hosts = rules.length === 0 ? [undefined] : [...new Set(rules.map((rule) => rule.host))];
  return hosts.flatMap((name) => {
    const host = hostMatch(name);
    if (host === undefined) return [];
    const draft = {
      host,
      path: { type: 'segments', path: '' } as const,
      pathText: '/',
      pathType: 'Prefix' as const,
      tls: hasTls(name),
      derived: false,
    };
    return [{ draft, service, isDefault: true, origin }];
  });
}

function serviceOf(backend: IngressBackend, origin: Origin, diagnostics: Diagnostic[]): ServiceReference | undefined {
  if ('service' in backend) return backend.service;
  const message = `The backend is a ${quote(backend.resource.kind)}, which can not be served; only Services can.`;
  diagnostics.push(diagnostic('BackendUnsupported', origin, message));
  return undefined;
}

const DNS_LABELS = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/;

/** `undefined`: not a host name. */
function hostMatch(host: string | undefined): HostMatch | undefined {
  if (host === undefined || host === '') return { type: 'any' };
  if (host.startsWith('*.')) return DNS_LABELS.test(host.slice(2)) ? { type: 'wildcard', suffix: host.slice(2) } : undefined;
  return DNS_LABELS.test(host) ? { type: 'exact', name: host } : undefined;
}

/** `*.example.com` in a TLS list covers one label. */
function coveredBy(host: string, names: ReadonlySet<string>): boolean {
  if (names.has(host)) return true;
  const dot = host.indexOf('.');
  return dot > 0 && names.has(`*${host.slice(dot)}`);
}

/** Every path of a request begins with a `/`; a regular expression may say so itself. */
function isPath({ path, pathType }: IngressPath): boolean {
  return path === '' || path.startsWith('/') || (pathType === 'ImplementationSpecific' && path.startsWith('^/'));
}

/** `ImplementationSpecific` is a plain prefix, as ingress-nginx has it; features may change the match. */
function pathMatch({ path, pathType }: IngressPath): PathMatch {
  switch (pathType) {
    case 'Exact':
      return { type: 'exact', path: path === '' ? '/' : path };
    case 'Prefix':
      return { type: 'segments', path: path.replace(/\/+$/, '') };
    case 'ImplementationSpecific':
      return { type: 'prefix', path: path === '' ? '/' : path };
  }
}
