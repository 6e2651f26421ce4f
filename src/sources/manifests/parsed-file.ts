import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { KubeObject } from '../../objects/types.ts';

export interface ParsedDocument {
  /** Hash of the document's text. */
  readonly hash: string;
  readonly line: number;
  readonly readable: boolean;
  readonly objects: readonly KubeObject[];
  /** Which object of the cluster each of `objects` is. */
  readonly keys: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ParsedFile {
  readonly file: string;
  readonly documents: readonly ParsedDocument[];
  /** Of all documents, in their order: every snapshot walks over them. */
  readonly objects: readonly KubeObject[];
  readonly keys: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Every document could be parsed as YAML. */
  readonly readable: boolean;
  /** Characters of the text, and whether it ends as complete files do. */
  readonly length: number;
  readonly endsInNewline: boolean;
}

export function fileOf(file: string, documents: readonly ParsedDocument[], text: string): ParsedFile {
  return {
    file,
    documents,
    objects: documents.flatMap((document) => document.objects),
    keys: documents.flatMap((document) => document.keys),
    diagnostics: documents.flatMap((document) => document.diagnostics),
    readable: documents.every((document) => document.readable),
    length: text.length,
    endsInNewline: text.endsWith('\n'),
  };
}
