import type { Finding, Tree } from './tree.ts';

interface Banned {
  readonly pattern: RegExp;
  readonly message: string;
}

const BANNED: readonly Banned[] = [
  {
    pattern:
      /\b(registry\.npmjs\.org|registry\.yarnpkg\.com|npm\.pkg\.github\.com|registry\.npmmirror\.com|pypi\.org|files\.pythonhosted\.org|proxy\.golang\.org|static\.crates\.io|index\.crates\.io|rubygems\.org|deb\.debian\.org|security\.debian\.org)\b/i,
    message: 'names the host of a package registry: leave the choice to the configuration of the machine that installs.',
  },
  {
    pattern: /(?<![\w./*-])\/(work|farm|root|old_root|Users\/\w+|home\/(?!USER\b)\w+)\//,
    message: 'names a path of one machine: make it relative to the file (import.meta.url), or take a temporary folder.',
  },
];

const LOCK_WITH_HOST: Banned = {
  pattern: /"resolved": "[a-z+]+:\/\//,
  message: 'the lock file names a host: keep omit-lockfile-registry-resolved in .npmrc and run `npm install` again.',
};

const BINARY = /\.(png|jpe?g|gif|ico|woff2?|gz|zip|pcap|wasm|bin)$/;

/** Nothing that is committed may tie the project to one machine or one registry. */
export function portable(tree: Tree): readonly Finding[] {
  return tree.files
    .filter((file) => !BINARY.test(file))
    .flatMap((file) => {
      const rules = file.endsWith('package-lock.json') ? [...BANNED, LOCK_WITH_HOST] : BANNED;
      return tree
        .read(file)
        .split('\n')
        .flatMap((text, index) =>
          rules.filter(({ pattern }) => pattern.test(text)).map(({ message }): Finding => ({ file, line: index + 1, message })),
        );
    });
}
