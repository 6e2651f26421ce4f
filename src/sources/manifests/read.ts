import { parseAllDocuments } from 'yaml';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { parseWellFormed } from '../../objects/parse-well-formed.ts';
import type { KubeObject } from '../../objects/types.ts';

/** Objects of a text of YAML documents. */
export function readManifestText(text: string, _file: string): { readonly objects: readonly KubeObject[]; readonly diagnostics: readonly Diagnostic[] } {
  return { objects: parseAllDocuments(text).flatMap((document) => parseWellFormed(document.toJS())), diagnostics: [] };
}
