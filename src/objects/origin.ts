import type { Origin } from '../model/origin.ts';
import type { KubeObject } from './types.ts';

/** Origin of an object or one of its fields, with the line where the object came from a file. */
export function objectOrigin(object: KubeObject, field?: string): Origin {
  const { namespace, name, uid } = object.metadata;
  const { position } = object;
  return {
    kind: object.kind,
    namespace,
    name,
    ...(uid === '' ? {} : { uid }),
    ...(field === undefined ? {} : { field }),
    ...(position ? { file: position.file, line: (field === undefined ? undefined : position.lines[field]) ?? position.line } : {}),
  };
}

export function annotationField(fullKey: string): string {
  return `metadata.annotations["${fullKey}"]`;
}
