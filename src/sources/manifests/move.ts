import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { newRecord } from '../../objects/records.ts';
import type { FilePosition, KubeObject } from '../../objects/types.ts';
import type { ParsedDocument } from './parsed-file.ts';

/**
 * The same document at another line of its file. Its objects are new, because a position that lies
 * sends the author to the wrong place; `metadata` and `spec` inside them keep their identity.
 */
export function moveDocument(document: ParsedDocument, line: number): ParsedDocument {
  const by = line - document.line;
  if (by === 0) return document;
  return {
    ...document,
    line,
    objects: document.objects.map((object) => moveObject(object, by)),
    diagnostics: document.diagnostics.map((problem) => moveDiagnostic(problem, by)),
  };
}

function moveObject(object: KubeObject, by: number): KubeObject {
  return object.position ? { ...object, position: movePosition(object.position, by) } : object;
}

function movePosition(position: FilePosition, by: number): FilePosition {
  const lines = newRecord<number>();
  for (const [field, line] of Object.entries(position.lines)) lines[field] = line + by;
  return { ...position, line: position.line + by, lines };
}

function moveDiagnostic(problem: Diagnostic, by: number): Diagnostic {
  const { line } = problem.origin;
  return line === undefined ? problem : { ...problem, origin: { ...problem.origin, line: line + by } };
}
