import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files that are, or are about to be, committed. */
export interface Tree {
  /** Relative to the root, with `/`, sorted. */
  readonly files: readonly string[];
  read(file: string): string;
}

export interface Finding {
  readonly file: string;
  readonly line?: number;
  /** What is wrong and how to mend it. */
  readonly message: string;
  /** A warning is shown and does not fail the check. */
  readonly warning?: boolean;
}

export type Rule = (tree: Tree) => readonly Finding[];

export function gitTree(root: string): Tree {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  const files = listed.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
  return { files: [...new Set(files)].toSorted(), read: (file) => readFileSync(join(root, file), 'utf8') };
}

/** A tree in memory, for the tests of the rules. */
export function memoryTree(contents: Readonly<Record<string, string>>): Tree {
  return { files: Object.keys(contents).toSorted(), read: (file) => contents[file] ?? '' };
}

export function isTestCode(file: string): boolean {
  return /\.test\.ts$|^(test|bench)\/|\/(testing|fixtures)\//.test(file);
}

export function isGenerated(file: string): boolean {
  return /\.generated\.\w+$|^docs\/reference\//.test(file);
}

export function formatFinding({ file, line, message, warning }: Finding): string {
  return `${file}${line === undefined ? '' : `:${line}`}: ${warning === true ? 'warning: ' : ''}${message}`;
}
