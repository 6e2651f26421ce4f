import { Composer, LineCounter, Parser, type CST } from 'yaml';
import type { SourceMap } from '../../objects/scope.ts';
import { YamlConverter, YamlValueError, type RepeatedKey } from './yaml-value.ts';
import type { Chunk } from './split.ts';

/**
 * No Kubernetes object is nested so deeply. The library's composer is recursive, and Node does not
 * survive every exhausted stack: compiling a regular expression there aborts the process.
 */
const MAX_DEPTH = 150;
/** etcd refuses objects above 1.5 MB; a List of a whole cluster may be long. */
const MAX_DOCUMENT_LENGTH = 32 * 1024 * 1024;

export type YamlDocument =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly map: SourceMap;
      readonly repeatedKeys: readonly RepeatedKey[];
      /** 1-based line in the file of the first key. */
      readonly line: number;
    }
  | { readonly ok: false; readonly message: string; readonly line: number };

/** One document; JSON is read as the YAML that it is. Never throws. */
export function readYamlDocument(chunk: Chunk): YamlDocument {
  if (chunk.text.length > MAX_DOCUMENT_LENGTH)
    return { ok: false, message: `The document is longer than ${MAX_DOCUMENT_LENGTH} characters`, line: chunk.line };
  const nul = chunk.text.indexOf('\0');
  if (nul !== -1)
    return { ok: false, message: 'The document has a NUL character', line: chunk.line + chunk.text.slice(0, nul).split('\n').length - 1 };
  try {
    return compose(chunk);
  } catch (error) {
    if (error instanceof YamlValueError) return { ok: false, message: error.message, line: error.line };
    return { ok: false, message: error instanceof Error ? error.message : String(error), line: chunk.line };
  }
}

function compose(chunk: Chunk): YamlDocument {
  const counter = new LineCounter();
  const lineAt = (offset: number): number => chunk.line + lineIndex(counter.lineStarts, offset);
  const tokens: CST.Token[] = [];
  for (const token of new Parser(counter.addNewLine).parse(chunk.text)) {
    // The first error is enough; megabytes of them would take the composer minutes.
    if (token.type === 'error') return { ok: false, message: token.message, line: lineAt(token.offset) };
    tokens.push(token);
  }
  const deep = tokens.map((token) => findTooDeep(token)).find((token) => token !== undefined);
  if (deep) return { ok: false, message: `The document is nested more than ${MAX_DEPTH} levels deep`, line: lineAt(deep.offset) };
  // uniqueKeys would compare every key with every other; the converter finds repetitions itself.
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
  const [document] = composer.compose(tokens, true, chunk.text.length);
  const error = document?.errors[0];
  if (!document || error) return { ok: false, message: error?.message ?? 'The document is empty', line: lineAt(error?.pos[0] ?? 0) };
  const converter = new YamlConverter(lineAt);
  const value = converter.convert(document.contents, '');
  return { ok: true, value, map: converter, repeatedKeys: converter.repeatedKeys, line: lineAt(document.contents?.range?.[0] ?? 0) };
}

function findTooDeep(root: CST.Token): CST.Token | undefined {
  const rest: [token: CST.Token, depth: number][] = [[root, 0]];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const [token, depth] = next;
    if (depth > MAX_DEPTH) return token;
    if (token.type === 'document' && token.value) rest.push([token.value, depth + 1]);
    if (!('items' in token)) continue;
    for (const item of token.items) {
      if (item.key) rest.push([item.key, depth + 1]);
      if (item.value) rest.push([item.value, depth + 1]);
    }
  }
  return undefined;
}

/** Index of the last line start at or before the offset. */
function lineIndex(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
