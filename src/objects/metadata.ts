import { quote } from '../diagnostics/diagnostic.ts';
import { isQualifiedKey } from './names.ts';
import { isAbsent, isRecord, newRecord } from './records.ts';
import { memberSlot, ObjectScope, type ParseContext } from './scope.ts';
import type { Metadata } from './types.ts';
import { describe, readName, readText, readTexts } from './values.ts';

export interface OpenedObject {
  readonly scope: ObjectScope;
  readonly metadata: Metadata;
}

export interface RefusedObject {
  readonly scope: ObjectScope;
  readonly metadata: undefined;
}

export interface OpenOptions {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly context: ParseContext;
  /** The object's own line inside a List. */
  readonly line: number | undefined;
}

/** Reads the metadata and opens the scope in which the rest of the object is read. */
export function openObject(raw: Readonly<Record<string, unknown>>, options: OpenOptions): OpenedObject | RefusedObject {
  const { kind, namespaced, context, line } = options;
  const rawMeta = isRecord(raw['metadata']) ? raw['metadata'] : newRecord<unknown>();
  const uid = plainText(rawMeta['uid']);
  const namespaceText = namespaced ? plainText(rawMeta['namespace']) || 'default' : '';
  const scope = new ObjectScope({ kind, namespace: namespaceText, name: plainText(rawMeta['name']), uid }, context.source, line);
  const nameSlot = memberSlot(rawMeta, 'name', 'metadata');
  const name = readName(scope, nameSlot);
  const namespace = namespaced ? readNamespace(scope, rawMeta) : '';
  if (name === undefined || namespace === undefined) {
    if (scope.diagnostics.length === 0) scope.report('InvalidObject', nameSlot, `The ${kind} has no \`metadata.name\`.`);
    return { scope, metadata: undefined };
  }
  const annotations = memberSlot(rawMeta, 'annotations', 'metadata');
  if (!isAbsent(annotations.value) && !isRecord(annotations.value)) {
    // Served without its annotations it might be served without its access rules.
    scope.report(
      'InvalidObject',
      annotations,
      `\`metadata.annotations\` must be a mapping, not ${describe(annotations.value)}; the ${kind} is left out.`,
    );
    return { scope, metadata: undefined };
  }
  return {
    scope,
    metadata: {
      namespace,
      name,
      uid,
      resourceVersion: plainText(rawMeta['resourceVersion']) || (context.resourceVersion ?? ''),
      generation: typeof rawMeta['generation'] === 'number' && Number.isSafeInteger(rawMeta['generation']) ? rawMeta['generation'] : 0,
      createdAt: readCreatedAt(scope, rawMeta),
      labels: readTexts(scope, memberSlot(rawMeta, 'labels', 'metadata'), isQualifiedKey),
      annotations: readTexts(scope, annotations, isQualifiedKey),
    },
  };
}

function readNamespace(scope: ObjectScope, rawMeta: Readonly<Record<string, unknown>>): string | undefined {
  const slot = memberSlot(rawMeta, 'namespace', 'metadata');
  if (isAbsent(slot.value) || slot.value === '') return 'default';
  return readName(scope, slot);
}

function readCreatedAt(scope: ObjectScope, rawMeta: Readonly<Record<string, unknown>>): number {
  const slot = memberSlot(rawMeta, 'creationTimestamp', 'metadata');
  const text = readText(scope, slot);
  if (text === undefined || text === '' || text === 'null') return 0;
  const time = Date.parse(text);
  if (Number.isFinite(time)) return Math.max(0, time);
  scope.report('InvalidObject', slot, `${quote(text)} in \`metadata.creationTimestamp\` is not a time; the object counts as the oldest.`);
  return 0;
}

/** For naming the object before its parts are judged. */
function plainText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 253) : '';
}
