import { isIP } from 'node:net';
import { diagnostic, type Diagnostic, quote } from '../../diagnostics/diagnostic.ts';
import type { Endpoint } from '../../model/model.ts';
import { ENDPOINTS_ANNOTATION, parseHostPort } from '../../objects/named-endpoints.ts';
import { objectOrigin } from '../../objects/origin.ts';
import { objectKey, type Snapshot } from '../../objects/snapshot.ts';
import type { EndpointSlice, Service, ServicePort, SliceEndpoint } from '../../objects/types.ts';

export type ServiceLookup =
  | {
      readonly found: 'endpoints';
      readonly service: Service;
      readonly port: ServicePort;
      readonly endpoints: readonly Endpoint[];
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly found: 'no-port'; readonly service: Service }
  | { readonly found: 'nothing' };

/** The endpoints behind a Service's port, by port number or name. Order: by name, so that equal sets are equal lists. */
export function serviceEndpoints(snapshot: Snapshot, namespace: string, name: string, port: string | number): ServiceLookup {
  const service = snapshot.services.get(objectKey(namespace, name));
  if (service === undefined) return { found: 'nothing' };
  const diagnostics: Diagnostic[] = [];
  const servicePort = findPort(service, port);
  if (servicePort === undefined) return { found: 'no-port', service };
  const endpoints = [
    ...sliceEndpoints(snapshot.endpointSlices.get(objectKey(namespace, name)) ?? [], servicePort),
    ...namedEndpoints(service, snapshot, diagnostics),
    ...externalEndpoints(service, servicePort, snapshot, diagnostics),
  ];
  const unique = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  const sorted = [...unique.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { found: 'endpoints', service, port: servicePort, endpoints: sorted, diagnostics };
}

/** An ExternalName Service needs no port list: then the number that the route names is used. */
function findPort(service: Service, port: string | number): ServicePort | undefined {
  const found = service.ports.find((one) => one.port === port || one.name === port || String(one.port) === port);
  if (found || service.type !== 'ExternalName' || typeof port !== 'number') return found;
  return { port, targetPort: port, protocol: 'TCP' };
}

function sliceEndpoints(slices: readonly EndpointSlice[], servicePort: ServicePort): readonly Endpoint[] {
  return slices.flatMap((slice) => {
    if (slice.addressType === 'FQDN') return [];
    // A slice's port carries the Service port's name (discovery.k8s.io/v1, EndpointPort); unnamed ones are ''.
    const slicePort =
      slice.ports.find((one) => one.name === (servicePort.name ?? '')) ?? (slice.ports.length === 1 ? slice.ports[0] : undefined);
    if (slicePort === undefined) return [];
    return slice.endpoints.flatMap((endpoint) => toEndpoint(endpoint, slicePort.port));
  });
}

function toEndpoint(endpoint: SliceEndpoint, port: number): readonly Endpoint[] {
  const [address] = endpoint.addresses;
  if (address === undefined || isIP(address) === 0) return [];
  const draining = endpoint.terminating && endpoint.serving;
  if (!endpoint.ready && !draining) return [];
  const state = draining ? ('draining' as const) : ('ready' as const);
  const zone = endpoint.zone === undefined ? {} : { zone: endpoint.zone };
  return [{ name: endpointName(endpoint.pod, address, port), address, port, state, ...zone }];
}

function endpointName(pod: string | undefined, address: string, port: number): string {
  return pod !== undefined && /^[A-Za-z0-9_.-]+$/.test(pod) ? `${pod}:${port}` : `${address}:${port}`;
}

function namedEndpoints(service: Service, snapshot: Snapshot, diagnostics: Diagnostic[]): readonly Endpoint[] {
  const text = service.metadata.annotations[ENDPOINTS_ANNOTATION];
  if (text === undefined) return [];
  const origin = objectOrigin(service, `metadata.annotations["${ENDPOINTS_ANNOTATION}"]`);
  return text.split(',').flatMap((item) => {
    const parsed = parseHostPort(item.trim());
    if (item.trim() === '') return [];
    if (parsed === undefined) {
      diagnostics.push(diagnostic('InvalidEndpoint', origin, `${quote(item.trim())} is not \`host:port\`; it is left out.`));
      return [];
    }
    return resolved(parsed.host, parsed.port, snapshot, () =>
      diagnostics.push(diagnostic('InvalidEndpoint', origin, `The name ${quote(parsed.host)} has no address; it is left out.`)),
    );
  });
}

function externalEndpoints(service: Service, port: ServicePort, snapshot: Snapshot, diagnostics: Diagnostic[]): readonly Endpoint[] {
  if (service.type !== 'ExternalName' || service.externalName === undefined) return [];
  const { externalName } = service;
  const target = typeof port.targetPort === 'number' ? port.targetPort : port.port;
  return resolved(externalName, target, snapshot, () =>
    diagnostics.push(
      diagnostic('InvalidEndpoint', objectOrigin(service, 'spec.externalName'), `The name ${quote(externalName)} has no address.`),
    ),
  );
}

function resolved(host: string, port: number, snapshot: Snapshot, onMissing: () => void): readonly Endpoint[] {
  const addresses = isIP(host) === 0 ? (snapshot.addresses.get(host) ?? []) : [host];
  if (addresses.length === 0) onMissing();
  return addresses.map((address) => ({ name: endpointName(undefined, address, port), address, port, state: 'ready' as const }));
}
