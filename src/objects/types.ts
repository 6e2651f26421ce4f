/**
 * The Kubernetes objects that Ramjet reads, after parsing: only the fields that are used, every one
 * checked. `parse.ts` makes them from unknown input; nothing else may.
 * Field meanings: Kubernetes API reference v1.32 (networking.k8s.io/v1, discovery.k8s.io/v1, core/v1).
 */

/** Where a file-born object was written. Absent for objects from an API server. */
export interface FilePosition {
  readonly file: string;
  /** 1-based line of the document's first line. */
  readonly line: number;
  /** 1-based line by field path, for the fields worth pointing at: `metadata.annotations["k"]`, `spec.rules[0].http.paths[1]`. */
  readonly lines: Readonly<Record<string, number>>;
}

export interface Metadata {
  readonly namespace: string;
  readonly name: string;
  /** Empty for file-born objects that have none. */
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation: number;
  /** Milliseconds since the epoch; 0 when the object has none. */
  readonly createdAt: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface ObjectBase<K extends string> {
  readonly kind: K;
  readonly metadata: Metadata;
  readonly position?: FilePosition;
}

export type PathType = 'Exact' | 'Prefix' | 'ImplementationSpecific';

export interface ServiceReference {
  readonly name: string;
  /** Port name or number (1 to 65535). */
  readonly port: string | number;
}

/** `resource` backends are legal Kubernetes and not served: they are kept to be reported. */
export type IngressBackend =
  | { readonly service: ServiceReference }
  | { readonly resource: { readonly kind: string; readonly name: string } };

export interface IngressPath {
  /** Starts with `/`, or is empty when the author left it out. */
  readonly path: string;
  readonly pathType: PathType;
  readonly backend: IngressBackend;
  /** Its place in the manifest, where that differs from its place here because a bad sibling was left out; field paths and lines go by it. */
  readonly index?: number;
}

export interface IngressRule {
  /** Lower case, or undefined for "any host". */
  readonly host?: string;
  readonly paths: readonly IngressPath[];
  /** Its place in the manifest, where that differs from its place here because a bad sibling was left out; field paths and lines go by it. */
  readonly index?: number;
}

export interface IngressTls {
  readonly hosts: readonly string[];
  readonly secretName?: string;
  /** Its place in the manifest, where that differs from its place here because a bad sibling was left out; field paths and lines go by it. */
  readonly index?: number;
}

export interface Ingress extends ObjectBase<'Ingress'> {
  readonly spec: {
    readonly ingressClassName?: string;
    readonly defaultBackend?: IngressBackend;
    readonly rules: readonly IngressRule[];
    readonly tls: readonly IngressTls[];
  };
}

export interface IngressClass extends ObjectBase<'IngressClass'> {
  readonly controller: string;
  readonly isDefault: boolean;
}

export interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly targetPort: string | number;
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
  readonly appProtocol?: string;
}

export interface Service extends ObjectBase<'Service'> {
  readonly type: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName';
  readonly externalName?: string;
  /** Empty for headless Services and in most files. */
  readonly clusterIPs: readonly string[];
  readonly ports: readonly ServicePort[];
}

export interface SliceEndpoint {
  readonly addresses: readonly string[];
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
  readonly zone?: string;
  /** `targetRef.name` when it refers to a Pod. */
  readonly pod?: string;
}

export interface SlicePort {
  readonly name: string;
  readonly port: number;
  readonly protocol: 'TCP' | 'UDP' | 'SCTP';
  readonly appProtocol?: string;
}

/** Core/v1 Endpoints are converted to this shape by the parser. */
export interface EndpointSlice extends ObjectBase<'EndpointSlice'> {
  /** Name of the Service, from the label `kubernetes.io/service-name` (or the Endpoints' own name). */
  readonly service: string;
  readonly addressType: 'IPv4' | 'IPv6' | 'FQDN';
  readonly ports: readonly SlicePort[];
  readonly endpoints: readonly SliceEndpoint[];
}

export interface KubeSecret extends ObjectBase<'Secret'> {
  readonly type: string;
  /** Decoded bytes by key. */
  readonly data: ReadonlyMap<string, Uint8Array>;
}

export interface ConfigMap extends ObjectBase<'ConfigMap'> {
  readonly data: Readonly<Record<string, string>>;
}

export interface Namespace extends ObjectBase<'Namespace'> {}

export type KubeObject = Ingress | IngressClass | Service | EndpointSlice | KubeSecret | ConfigMap | Namespace;
export type ObjectKind = KubeObject['kind'];
