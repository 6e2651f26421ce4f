import type { CatalogueRow } from './catalogue-row.ts';

/** Keys of the mse vocabulary that no feature declares yet. */
// biome-ignore format: a table, one key a line
export const MSE_CATALOGUE: readonly CatalogueRow[] = [
  { feature: 'multi-service', name: 'destination', value: 'one line per target: `{weight}% {service}.{namespace}.svc.cluster.local:{port}`; blank li…', default: 'none (backends of the rules are used)', summary: 'Replaces the backend of every rule in this Ingress with the listed weighted services.', status: { is: 'pending' } },
  { feature: 'service-subset', name: 'service-subset', value: '`""`, `base`, or a subset name', default: 'absent = all pods of the Service', summary: "Limits this Ingress's rules to a pod subset of the backend Service.", status: { is: 'pending' } },
  { feature: 'service-subset', name: 'subset-labels', value: '`key value`, one pair per line (`|` block for several)', default: 'absent', summary: 'Optional companion of service-subset that names the pod labels of the subset explicitly, e.g.', status: { is: 'pending' } },
  { feature: 'mirror', name: 'mirror-target-service', value: '[namespace/]name[:port]', default: "none; namespace = Ingress's, port = first Service port", summary: 'A copy of each request (headers and body) of the rules is sent to this Service.', status: { is: 'pending' } },
  { feature: 'mirror', name: 'mirror-percentage', value: 'integer 0..100', default: '100', summary: 'Share of requests mirrored.', status: { is: 'pending' } },
  { feature: 'connection-pool', name: 'connection-policy-tcp-max-connection', value: 'positive integer', default: 'none (unlimited)', summary: 'Maximum simultaneous connections from one gateway instance to the whole Service (D.', status: { is: 'pending' } },
  { feature: 'connection-pool', name: 'connection-policy-tcp-max-connection-per-endpoint', value: 'positive integer', default: 'none (unlimited)', summary: 'Maximum simultaneous connections from one gateway instance to a single endpoint of the Service.', status: { is: 'pending' } },
  { feature: 'connection-pool', name: 'connection-policy-http-max-request-per-connection', value: 'positive integer', default: 'none (unlimited)', summary: 'After this many requests a backend connection is closed instead of being reused.', status: { is: 'pending' } },
  { feature: 'downstream-tls', name: 'tls-min-protocol-version', value: 'TLSv1.0 | TLSv1.1 | TLSv1.2 | TLSv1.3', default: 'TLSv1.0', summary: 'Lowest TLS version accepted for the hosts of this Ingress.', status: { is: 'pending' } },
  { feature: 'downstream-tls', name: 'tls-max-protocol-version', value: 'TLSv1.0 | TLSv1.1 | TLSv1.2 | TLSv1.3', default: 'TLSv1.3', summary: 'Highest TLS version accepted for the hosts of this Ingress.', status: { is: 'pending' } },
  { feature: 'downstream-tls', name: 'ssl-cipher', value: 'OpenSSL suite names separated by `:`', default: 'the 12 suites listed in md section (c)', summary: 'Cipher suites offered for the hosts of this Ingress in TLS 1.0-1.2 handshakes.', status: { is: 'pending' } },
  { feature: 'downstream-tls', name: 'auth-tls-secret', value: '[namespace/]name; name must be `<tls secret of the host>-cacert` (or that secret itself),…', default: "none; namespace = Ingress's", summary: 'Turns on mandatory client-certificate verification (mTLS) for the hosts of this Ingress, with the CA bundle in key `cacert` (or `ca.crt`) of that Secret.', status: { is: 'pending' } },
];
