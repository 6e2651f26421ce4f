/** Who reads the kinds that this parser passes over, so that the author learns whether to wait or to stop wondering. */
const READERS: readonly (readonly [group: RegExp, reader: string])[] = [
  [/^gateway\.networking\.(x-)?k8s\.io$/, 'Gateway API objects are read by a later version of Ramjet.'],
  [/^traefik\.(io|containo\.us)$/, 'Traefik objects are read by a later version of Ramjet.'],
  [/^projectcontour\.io$/, 'Contour objects are read by a later version of Ramjet.'],
  [/^argoproj\.io$/, 'Argo objects are read by Argo.'],
  [/^flagger\.app$/, 'Flagger objects are read by Flagger.'],
  [/^cert-manager\.io$/, 'cert-manager objects are read by cert-manager; Ramjet uses the Secrets that it writes.'],
];

export type SupportedKind = 'Ingress' | 'IngressClass' | 'Service' | 'EndpointSlice' | 'Endpoints' | 'Secret' | 'ConfigMap' | 'Namespace';

/** `legacy`: an API version that the servers have dropped; its fields are converted. */
export interface KindVersion {
  readonly kind: SupportedKind;
  readonly legacy: boolean;
}

interface SupportedVersions {
  readonly current: string;
  readonly legacy: readonly string[];
}

const SUPPORTED: Readonly<Record<SupportedKind, SupportedVersions>> = {
  Ingress: { current: 'networking.k8s.io/v1', legacy: ['networking.k8s.io/v1beta1', 'extensions/v1beta1'] },
  IngressClass: { current: 'networking.k8s.io/v1', legacy: ['networking.k8s.io/v1beta1'] },
  Service: { current: 'v1', legacy: [] },
  EndpointSlice: { current: 'discovery.k8s.io/v1', legacy: ['discovery.k8s.io/v1beta1'] },
  Endpoints: { current: 'v1', legacy: [] },
  Secret: { current: 'v1', legacy: [] },
  ConfigMap: { current: 'v1', legacy: [] },
  Namespace: { current: 'v1', legacy: [] },
};

export type KindVerdict =
  | ({ readonly verdict: 'supported' } & KindVersion)
  /** The kind is ours, the version is one that never held it: nearly always a slip of the pen. */
  | { readonly verdict: 'wrong-version'; readonly expected: string }
  | { readonly verdict: 'foreign'; readonly reader: string };

export function isSupportedKind(kind: string): kind is SupportedKind {
  return Object.hasOwn(SUPPORTED, kind);
}

export function currentVersion(kind: SupportedKind): string {
  return SUPPORTED[kind].current;
}

export function judgeKind(apiVersion: string, kind: string): KindVerdict {
  if (isSupportedKind(kind)) {
    const { current, legacy } = SUPPORTED[kind];
    if (apiVersion === current) return { verdict: 'supported', kind, legacy: false };
    if (legacy.includes(apiVersion)) return { verdict: 'supported', kind, legacy: true };
    if (isBuiltInGroup(groupOf(apiVersion))) return { verdict: 'wrong-version', expected: current };
  }
  return { verdict: 'foreign', reader: readerOf(groupOf(apiVersion)) };
}

function readerOf(group: string): string {
  return READERS.find(([pattern]) => pattern.test(group))?.[1] ?? 'Ramjet has no use for it.';
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? '' : apiVersion.slice(0, slash);
}

/** Groups of third parties always have a dot, for example OpenShift's `config.openshift.io/v1 Ingress`. */
function isBuiltInGroup(group: string): boolean {
  return !group.includes('.') || group === 'networking.k8s.io' || group === 'discovery.k8s.io';
}
