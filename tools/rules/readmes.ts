import type { Finding, Tree } from './tree.ts';

/** Data folders: what they hold is said by the README of the folder they stand in. */
const DATA = /\/(fixtures|cases|testdata)(\/|$)/;

/** A README in every folder of src/, two levels deep: what enters, what leaves, what it must not know. */
export function readmes(tree: Tree): readonly Finding[] {
  const folders = new Set<string>();
  for (const file of tree.files) {
    const [top, first, second, ...deeper] = file.split('/');
    if (top !== 'src' || first === undefined || second === undefined) continue;
    folders.add(`src/${first}`);
    if (deeper.length > 0) folders.add(`src/${first}/${second}`);
  }
  const files = new Set(tree.files);
  return [...folders]
    .filter((folder) => !DATA.test(folder))
    .toSorted()
    .flatMap((folder): Finding[] => {
      const file = `${folder}/README.md`;
      if (!files.has(file))
        return [{ file, message: 'missing: write in about ten lines what enters, what leaves and what this folder must not know.' }];
      if (/^# \S.*\n+[^#\s]/.test(tree.read(file))) return [];
      return [{ file, message: 'says nothing: begin with a heading and a sentence.' }];
    });
}
