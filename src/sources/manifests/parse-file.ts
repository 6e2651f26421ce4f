import { createHash } from 'node:crypto';
import { diagnostic, quote } from '../../diagnostics/diagnostic.ts';
import type { Origin } from '../../model/origin.ts';
import { objectOrigin } from '../../objects/origin.ts';
import { parseObject } from '../../objects/parse.ts';
import type { KubeObject } from '../../objects/types.ts';
import { moveDocument } from './move.ts';
import { fileOf, type ParsedDocument, type ParsedFile } from './parsed-file.ts';
import { splitDocuments, type Chunk } from './split.ts';
import { readYamlDocument } from './yaml-document.ts';

/**
 * The documents of one file. A document whose text also stands in `previous` is not parsed again, and
 * its objects keep their identity; if it moved to another line, only their positions are new.
 */
export function parseFile(file: string, text: string, previous?: ParsedFile): ParsedFile {
  const known = new Map<string, ParsedDocument[]>();
  for (const document of previous?.documents ?? []) {
    const same = known.get(document.hash);
    if (same) same.push(document);
    else known.set(document.hash, [document]);
  }
  const documents = splitDocuments(text).map((chunk) => {
    const hash = createHash('sha1').update(chunk.text).digest('base64url');
    const old = known.get(hash)?.shift();
    return old ? moveDocument(old, chunk.line) : parseDocument(file, chunk, hash);
  });
  return fileOf(file, documents, text);
}

function parseDocument(file: string, chunk: Chunk, hash: string): ParsedDocument {
  const base = { hash, line: chunk.line };
  const yaml = readYamlDocument(chunk);
  if (!yaml.ok) {
    const problem = diagnostic(
      'UnreadableDocument',
      fileOrigin(file, yaml.line),
      `The document can not be read: ${quote(yaml.message, 200)}.`,
    );
    return { ...base, readable: false, objects: [], keys: [], diagnostics: [problem] };
  }
  if (yaml.value === null || yaml.value === undefined) return { ...base, readable: true, objects: [], keys: [], diagnostics: [] };
  const { objects, diagnostics } = parseObject(yaml.value, { source: { file, line: yaml.line, map: yaml.map }, resourceVersion: hash });
  const [only] = objects;
  const repeated = yaml.repeatedKeys.map(({ path, line }) => {
    const origin = only && objects.length === 1 ? { ...objectOrigin(only, path), line } : { ...fileOrigin(file, line), field: path };
    return diagnostic('DuplicateKey', origin, `${quote(path, 200)} is written twice; the last one counts.`);
  });
  return { ...base, readable: true, objects, keys: objects.map(identityKey), diagnostics: [...repeated, ...diagnostics] };
}

function identityKey(object: KubeObject): string {
  return `${object.kind}/${object.metadata.namespace}/${object.metadata.name}`;
}

/** For what can't be said about an object. */
export function fileOrigin(file: string, line?: number): Origin {
  return { kind: 'File', namespace: '', name: file, file, ...(line === undefined ? {} : { line }) };
}
