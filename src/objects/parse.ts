import type { DiagnosticCode } from '../diagnostics/codes.ts';
import { quote, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { readConfigMap } from './config-map.ts';
import { readEndpointSlice } from './endpoint-slice.ts';
import { readEndpointsObject } from './endpoints.ts';
import { readIngressClass } from './ingress-class.ts';
import { readIngress } from './ingress.ts';
import { currentVersion, isSupportedKind, judgeKind, type KindVersion } from './kinds.ts';
import { openObject } from './metadata.ts';
import { isAbsent, isList, isRecord } from './records.ts';
import { ObjectScope, type ParseContext, type Slot } from './scope.ts';
import { readSecret } from './secret.ts';
import { readService } from './service.ts';
import type { KubeObject, Metadata } from './types.ts';
import { describe } from './values.ts';

/** Lists of Lists exist in nobody's files but an attacker's. */
const MAX_LIST_DEPTH = 4;

type RawMapping = Readonly<Record<string, unknown>>;

export interface ParseResult {
  /** Usually one; a `List` and Endpoints give any number. */
  readonly objects: readonly KubeObject[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The only way from unknown input to a `KubeObject`. Never throws; the smallest bad unit is left out and reported. */
export function parseObject(raw: unknown, context: ParseContext = {}): ParseResult {
  const run: Run = { context, objects: [], diagnostics: [], passedOver: new Set() };
  parseInto(run, raw, { depth: 0 });
  return run;
}

interface Run {
  readonly context: ParseContext;
  readonly objects: KubeObject[];
  readonly diagnostics: Diagnostic[];
  /** Kinds already reported, so that a List of 10,000 Pods is one line. */
  readonly passedOver: Set<string>;
}

interface Place {
  readonly depth: number;
  /** The item's slot in its List. */
  readonly slot?: Slot;
  /** What the items of a typed list (`IngressList`) may leave out. */
  readonly inherited?: { readonly apiVersion: string; readonly kind: string };
  readonly version?: string;
}

function parseInto(run: Run, raw: unknown, place: Place): void {
  if (!isRecord(raw)) {
    complain(run, place, 'InvalidObject', `A Kubernetes object is a mapping, this is ${describe(raw)}.`);
    return;
  }
  const apiVersion = typeof raw['apiVersion'] === 'string' ? raw['apiVersion'].trim() : (place.inherited?.apiVersion ?? '');
  const kind = typeof raw['kind'] === 'string' ? raw['kind'].trim() : (place.inherited?.kind ?? '');
  if (kind.endsWith('List') && (isList(raw['items']) || kind === 'List')) {
    parseItems(run, raw, { apiVersion, kind }, place);
    return;
  }
  if (apiVersion === '' && kind === '') {
    complain(run, place, 'UnknownKind', 'It has neither `apiVersion` nor `kind`, so it is not a Kubernetes object; it was passed over.');
    return;
  }
  if (kind === '') {
    complain(run, place, 'InvalidObject', 'The object has no `kind`.');
    return;
  }
  parseKind(run, raw, { apiVersion, kind }, place);
}

function parseItems(run: Run, raw: RawMapping, own: { readonly apiVersion: string; readonly kind: string }, place: Place): void {
  const items: unknown = raw['items'];
  if (isAbsent(items)) return;
  if (!isList(items)) {
    complain(run, place, 'InvalidObject', `\`items\` of a List must be a list, not ${describe(items)}.`);
    return;
  }
  if (place.depth >= MAX_LIST_DEPTH) {
    complain(run, place, 'InvalidObject', 'Lists are nested too deeply.');
    return;
  }
  const itemKind = own.kind.slice(0, -'List'.length);
  const inherited = itemKind === '' ? {} : { inherited: { apiVersion: own.apiVersion, kind: itemKind } };
  const version = place.version ?? run.context.resourceVersion;
  for (let index = 0; index < items.length; index += 1) {
    const slot: Slot = { container: items, key: index, field: `items[${index}]`, value: items[index] };
    // Siblings of one document must not share a version, or a change of one would look like none.
    parseInto(run, items[index], {
      depth: place.depth + 1,
      slot,
      ...inherited,
      ...(version === undefined ? {} : { version: `${version}.${index}` }),
    });
  }
}

function parseKind(run: Run, raw: RawMapping, own: { readonly apiVersion: string; readonly kind: string }, place: Place): void {
  const verdict = judgeKind(own.apiVersion, own.kind);
  switch (verdict.verdict) {
    case 'supported':
      parseSupported(run, raw, verdict, own.apiVersion, place);
      return;
    case 'wrong-version': {
      const shown = own.apiVersion === '' ? 'has no `apiVersion`' : `can not be of ${quote(own.apiVersion)}`;
      complain(run, place, 'InvalidObject', `The ${own.kind} ${shown}; write \`${verdict.expected}\`.`, raw);
      return;
    }
    case 'foreign': {
      const key = `${own.apiVersion} ${own.kind}`;
      if (run.passedOver.has(key)) return;
      run.passedOver.add(key);
      complain(run, place, 'UnknownKind', `${quote(own.kind)} of ${quote(own.apiVersion)} was passed over. ${verdict.reader}`, raw);
      return;
    }
  }
}

function parseSupported(run: Run, raw: RawMapping, version: KindVersion, apiVersion: string, place: Place): void {
  const { kind } = version;
  const namespaced = kind !== 'IngressClass' && kind !== 'Namespace';
  const context = place.version === undefined ? run.context : { ...run.context, resourceVersion: place.version };
  const opened = openObject(raw, { kind, namespaced, context, line: lineOf(run, place) });
  if (opened.metadata) {
    const { scope, metadata } = opened;
    if (version.legacy)
      scope.report(
        'ConvertedVersion',
        undefined,
        `The ${kind} is of ${quote(apiVersion)}, which Kubernetes has removed; it was read as \`${currentVersion(kind)}\`.`,
        `Rewrite it as ${currentVersion(kind)}.`,
      );
    run.objects.push(...readByKind(scope, raw, metadata, version));
  }
  run.diagnostics.push(...opened.scope.diagnostics);
}

function readByKind(scope: ObjectScope, raw: RawMapping, metadata: Metadata, version: KindVersion): readonly KubeObject[] {
  switch (version.kind) {
    case 'Ingress':
      return maybe(readIngress(scope, raw, metadata, version.legacy ? 'v1beta1' : 'v1'));
    case 'IngressClass':
      return maybe(readIngressClass(scope, raw, metadata));
    case 'Service':
      return maybe(readService(scope, raw, metadata));
    case 'EndpointSlice':
      return maybe(readEndpointSlice(scope, raw, metadata));
    case 'Endpoints':
      return readEndpointsObject(scope, raw, metadata);
    case 'Secret':
      return [readSecret(scope, raw, metadata)];
    case 'ConfigMap':
      return [readConfigMap(scope, raw, metadata)];
    case 'Namespace':
      return [{ kind: 'Namespace', metadata, ...scope.position() }];
  }
}

function maybe(object: KubeObject | undefined): readonly KubeObject[] {
  return object ? [object] : [];
}

/** A complaint about something that is not, or not yet, an object of ours. */
function complain(run: Run, place: Place, code: DiagnosticCode, message: string, raw?: RawMapping): void {
  const metadata = isRecord(raw?.['metadata']) ? raw['metadata'] : {};
  const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 253) : '');
  const kind = text(raw?.['kind']) || 'Document';
  const clusterScoped = isSupportedKind(kind) ? kind === 'IngressClass' || kind === 'Namespace' : true;
  const namespace = text(metadata['namespace']) || (clusterScoped ? '' : 'default');
  // A document without a name can only be told by its file.
  const name = text(metadata['name']) || (kind === 'Document' ? (run.context.source?.file ?? '') : '');
  const scope = new ObjectScope({ kind, namespace, name, uid: '' }, run.context.source, lineOf(run, place));
  scope.report(code, undefined, message);
  run.diagnostics.push(...scope.diagnostics);
}

function lineOf(run: Run, place: Place): number | undefined {
  return place.slot && run.context.source?.map.lineOf(place.slot.container, place.slot.key);
}
