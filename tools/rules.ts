import { fileURLToPath } from 'node:url';
import { portable } from './rules/portable.ts';
import { readmes } from './rules/readmes.ts';
import { size } from './rules/size.ts';
import { formatFinding, gitTree, type Rule } from './rules/tree.ts';

const RULES: ReadonlyMap<string, Rule> = new Map(Object.entries({ size, readmes, portable }));

const [name = ''] = process.argv.slice(2);
const rule = RULES.get(name);
if (rule === undefined) {
  process.stderr.write(`usage: tsx tools/rules.ts ${[...RULES.keys()].join('|')}\n`);
  process.exit(2);
}
const findings = rule(gitTree(fileURLToPath(new URL('..', import.meta.url))));
for (const finding of findings) process.stdout.write(`${formatFinding(finding)}\n`);
if (findings.some((finding) => finding.warning !== true)) process.exitCode = 1;
