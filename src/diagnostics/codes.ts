/** `error`: refused at admission. `warning`: served, but not as the author may expect. `info`: nothing to mend. */
export type Severity = 'error' | 'warning' | 'info';

export interface CodeEntry {
  readonly severity: Severity;
  /** When it is reported, for the reference page. */
  readonly summary: string;
  /** What to do about it. */
  readonly hint: string;
}

/**
 * Every diagnostic code there is, by area. A code never changes its meaning and is never reused.
 * `docs/reference/diagnostics.md` is generated from this table.
 */
export const DIAGNOSTIC_CODES = {
  // Reading files and objects
  UnreadableDocument: {
    severity: 'error',
    summary: 'A YAML or JSON document could not be parsed.',
    hint: 'Mend the syntax; the last good version of the file stays in use.',
  },
  InvalidObject: {
    severity: 'error',
    summary: 'An object does not have the shape its kind requires.',
    hint: 'Compare the field with the Kubernetes API reference.',
  },
  DuplicateKey: {
    severity: 'warning',
    summary: 'A mapping names the same key twice; the last one counts.',
    hint: 'Remove one of the two.',
  },
  DuplicateObject: {
    severity: 'warning',
    summary: 'Two documents describe the same object; the later one counts.',
    hint: 'Remove one of the two.',
  },
  UnknownKind: {
    severity: 'info',
    summary: 'A document of a kind that Ramjet does not read was passed over.',
    hint: 'Nothing to do if another tool reads it.',
  },
  ConvertedVersion: {
    severity: 'info',
    summary: 'An object of a removed API version was converted.',
    hint: 'Rewrite it as networking.k8s.io/v1.',
  },
  MixedSchema: { severity: 'warning', summary: 'An object mixes fields of two API versions.', hint: 'Keep the fields of one API version.' },
  ToleratedValue: {
    severity: 'warning',
    summary: 'A value that a Kubernetes API server would refuse was understood and is used.',
    hint: 'Write it the way Kubernetes accepts it, or the object can not be applied to a cluster.',
  },
  SourceStale: {
    severity: 'warning',
    summary: 'A file could not be read; its last good version stays in use.',
    hint: 'Mend or restore the file.',
  },
  // Claims and routes
  ClassUnknown: {
    severity: 'warning',
    summary: 'The Ingress names a class that no IngressClass defines and no setting claims.',
    hint: 'Create the IngressClass, or name one that exists.',
  },
  RouteConflict: {
    severity: 'warning',
    summary: 'Another, older object already holds this host and path.',
    hint: 'Change the path, or remove one of the two.',
  },
  InvalidHost: {
    severity: 'error',
    summary: 'A host name can not be served.',
    hint: 'Use a DNS name, optionally with one leading `*.` label.',
  },
  InvalidPath: {
    severity: 'error',
    summary: 'A path can not be served.',
    hint: 'Start it with `/`; for a regular expression set use-regex.',
  },
  LiteralPath: {
    severity: 'warning',
    summary: 'A path looks like a regular expression and is matched as plain text.',
    hint: 'Set use-regex to "true" to have it read as a regular expression.',
  },
  BackendUnsupported: { severity: 'error', summary: 'The backend is not a Service.', hint: 'Point the path at a Service.' },
  ServiceMissing: {
    severity: 'warning',
    summary: 'The Service does not exist; its routes answer 503.',
    hint: 'Create the Service, or mend its name.',
  },
  ServicePortMissing: {
    severity: 'warning',
    summary: 'The Service has no such port; its routes answer 503.',
    hint: 'Name a port that the Service lists.',
  },
  EndpointsMissing: {
    severity: 'info',
    summary: 'The Service has no ready endpoint; its routes answer 503.',
    hint: 'Check the pods behind the Service.',
  },
  InvalidEndpoint: { severity: 'warning', summary: 'An endpoint address could not be used and was left out.', hint: 'Use `address:port`.' },
  // TLS
  SecretMissing: {
    severity: 'warning',
    summary: 'A Secret that the object names does not exist.',
    hint: 'Create the Secret in the same namespace.',
  },
  InvalidSecret: { severity: 'error', summary: 'A Secret does not hold what the object needs from it.', hint: 'Check its type and keys.' },
  InvalidCertificate: {
    severity: 'error',
    summary: 'A certificate and key could not be used; the default certificate is shown.',
    hint: 'Store a matching tls.crt and tls.key in PEM.',
  },
  // Annotations
  InvalidAnnotation: {
    severity: 'error',
    summary: 'An annotation value can not be used.',
    hint: 'See `ramjet explain KEY` for what it may hold.',
  },
  AnnotationAdjusted: {
    severity: 'warning',
    summary: 'An annotation value was used in an adjusted form.',
    hint: 'Write the value that is in effect.',
  },
  AnnotationIgnored: {
    severity: 'warning',
    summary: 'An annotation has no effect where it stands.',
    hint: 'Remove it, or set what it depends on.',
  },
  AnnotationNoOp: {
    severity: 'info',
    summary: 'The annotation is accepted and has no meaning in this data plane.',
    hint: 'Nothing to do.',
  },
  AnnotationPending: {
    severity: 'warning',
    summary: 'The annotation is known and not yet honoured.',
    hint: 'Expect the behaviour without it.',
  },
  AnnotationRefused: {
    severity: 'warning',
    summary: 'The annotation is known and deliberately not honoured.',
    hint: 'See `ramjet explain KEY` for the way out.',
  },
  UnknownAnnotation: { severity: 'warning', summary: 'No such key exists under this prefix.', hint: 'Check the spelling.' },
  ForeignAnnotation: {
    severity: 'info',
    summary: 'The annotation belongs to another controller.',
    hint: 'Nothing to do if that controller is gone for good.',
  },
  AnnotationFamilyConflict: {
    severity: 'error',
    summary: 'Two annotation families configure one feature on one object.',
    hint: 'Keep the keys of one family.',
  },
  RouteClosed: {
    severity: 'error',
    summary: 'A security feature could not be set up, so the routes of the object answer an error.',
    hint: 'Mend the value named by the other diagnostics of this object.',
  },
  // Canary
  CanaryInert: {
    severity: 'warning',
    summary: 'A canary has no rule that can ever send it a request.',
    hint: 'Set a weight, a header or a cookie.',
  },
  CanaryOrphan: {
    severity: 'warning',
    summary: 'A canary path has no production route of the same host and path.',
    hint: 'Create the production Ingress, or mend host and path.',
  },
  CanaryConflict: {
    severity: 'warning',
    summary: 'Canaries of one route disagree or together ask for more than the total.',
    hint: 'Lower the weights or align the totals.',
  },
  CanaryEmpty: {
    severity: 'warning',
    summary: 'A canary backend has no ready endpoint; its share goes to production.',
    hint: 'Check the pods of the canary.',
  },
  // Data plane
  RejectedByDataPlane: {
    severity: 'error',
    summary: 'HAProxy refused what this object compiles to; its last good form stays, or it is left out.',
    hint: 'Please report it with `ramjet translate`.',
  },
  InternalError: {
    severity: 'error',
    summary: 'Ramjet failed on this object; the others are served.',
    hint: 'Please report it with the object.',
  },
} as const satisfies Record<string, CodeEntry>;

export type DiagnosticCode = keyof typeof DIAGNOSTIC_CODES;
