import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from './load.ts';

/** A site of `routes` routes in every proxy's terms. */
export interface Site {
  readonly hosts: readonly { readonly host: string; readonly paths: readonly { readonly path: string; readonly service: string }[] }[];
  readonly services: readonly string[];
  /** Directory of manifests: one file an Ingress. */
  readonly manifests: string;
  /** Up to 500 of its routes, spread evenly. */
  readonly targets: readonly Target[];
}

const PATHS = ['/', '/api/', '/static/', '/cart/', '/account/settings/'];

export interface SiteOptions {
  readonly routes: number;
  /** Default: five. */
  readonly pathsPerHost?: number;
  /** Default: one for two routes. */
  readonly services?: number;
  readonly upstreamPort: number;
  /** Annotations of an Ingress by its number. */
  annotations?(index: number): Readonly<Record<string, string>>;
  /** Further objects, YAML. */
  readonly more?: string;
}

export function writeSite(directory: string, options: SiteOptions): Site {
  const { routes, upstreamPort } = options;
  mkdirSync(directory, { recursive: true });
  const perHost = options.pathsPerHost ?? PATHS.length;
  const hostCount = Math.max(1, Math.ceil(routes / perHost));
  const services = Array.from({ length: options.services ?? Math.max(1, Math.ceil(routes / 2)) }, (_, index) => `svc-${index}`);
  let route = 0;
  const hosts = Array.from({ length: hostCount }, (_, index) => ({
    host: `host-${index}.bench.example`,
    paths: PATHS.slice(0, Math.min(perHost, routes - index * perHost)).map((path) => {
      const service = services[Math.floor(route / 2) % services.length] ?? 'svc-0';
      route += 1;
      return { path, service };
    }),
  }));
  writeFileSync(join(directory, 'services.yaml'), services.map((name) => serviceYaml(name, upstreamPort)).join('---\n'));
  for (const [index, { host, paths }] of hosts.entries())
    writeFileSync(join(directory, `ingress-${index}.yaml`), ingressYaml(`ing-${index}`, host, paths, options.annotations?.(index) ?? {}));
  if (options.more !== undefined) writeFileSync(join(directory, 'more.yaml'), options.more);
  const all = hosts.flatMap(({ host, paths }) => paths.map(({ path }) => ({ host, path: `${path}x` })));
  const step = Math.max(1, Math.floor(all.length / 500));
  return { hosts, services, manifests: directory, targets: all.filter((_, index) => index % step === 0).slice(0, 500) };
}

export function serviceYaml(name: string, port: number): string {
  return `apiVersion: v1\nkind: Service\nmetadata: { name: ${name}, annotations: { ramjet.dev/endpoints: '127.0.0.1:${port}' } }\nspec: { ports: [{ port: 80 }] }\n`;
}

export function ingressYaml(
  name: string,
  host: string,
  paths: readonly { readonly path: string; readonly service: string }[],
  annotations: Readonly<Record<string, string>>,
): string {
  const items = paths.map(
    ({ path, service }) =>
      `      - { path: '${path}', pathType: Prefix, backend: { service: { name: ${service}, port: { number: 80 } } } }`,
  );
  return [
    'apiVersion: networking.k8s.io/v1',
    'kind: Ingress',
    `metadata: { name: ${name}, annotations: ${JSON.stringify(annotations)} }`,
    'spec:',
    '  rules:',
    `  - host: ${host}`,
    '    http:',
    '      paths:',
    ...items,
    '',
  ].join('\n');
}
