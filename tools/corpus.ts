import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/**
 * The folder of manifests of public projects, which stands beside the checkout and is no part of it.
 * `undefined`: it is not on this machine.
 */
export function corpusFolder(root: string): string | undefined {
  const folder = resolve(root, process.env['RAMJET_CORPUS'] ?? '../shared/corpus/dev');
  return existsSync(folder) ? folder : undefined;
}

export interface CorpusFile {
  /** Relative to the corpus, with `/`. */
  readonly name: string;
  readonly text: string;
}

export function corpusFiles(folder: string): readonly CorpusFile[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(ya?ml|json)$/.test(name));
  const sorted = names.map((name) => relative(folder, join(folder, name)).replaceAll('\\', '/')).sort();
  return sorted.map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
}
