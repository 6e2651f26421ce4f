/**
 * Writes the generated files, or with `--check` only tells which differ.
 *
 * A generator is a file in tools/generators/ with `generate(root)`, which answers the contents by path.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export type Generated = ReadonlyMap<string, string>;

export interface Generator {
  generate(root: string): Generated | Promise<Generated>;
}

/** Other generators import what this one writes. */
const FIRST = 'features.ts';

export function generatorFiles(folder: string): readonly string[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  return files.toSorted((a, b) => Number(b === FIRST) - Number(a === FIRST) || (a < b ? -1 : 1));
}

/** The paths whose content is not what the generator says. */
export function stale(root: string, files: Generated): readonly string[] {
  return [...files]
    .filter(([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text)
    .map(([path]) => path);
}

async function main(root: string, check: boolean): Promise<void> {
  const folder = join(root, 'tools/generators');
  const differing: string[] = [];
  for (const file of generatorFiles(folder)) {
    const generator: Generator = await import(pathToFileURL(join(folder, file)).href);
    const files = await generator.generate(root);
    for (const path of stale(root, files)) {
      differing.push(path);
      if (!check) write(join(root, path), files.get(path) ?? '');
    }
  }
  if (check && differing.length > 0) process.exitCode = 1;
  const hint = check ? 'differs from its source: run `npm run generate` and commit the result' : 'written';
  for (const path of differing) process.stdout.write(`${path}: ${hint}\n`);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main(fileURLToPath(new URL('..', import.meta.url)), process.argv.includes('--check'));
}
