import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CodeEntry, DIAGNOSTIC_CODES } from '../../src/diagnostics/codes.ts';

const SEVERITIES = {
  error: 'refused at admission; live, the smallest unit that keeps meaning is left out',
  warning: 'served, but perhaps not as the author expects',
  info: 'nothing to mend',
} as const;

/** The reference page of all diagnostic codes, in the order and under the headings of the registry. */
export function generate(root: string): ReadonlyMap<string, string> {
  const source = readFileSync(join(root, 'src/diagnostics/codes.ts'), 'utf8');
  return new Map([['docs/reference/diagnostics.md', page(DIAGNOSTIC_CODES, areas(source))]]);
}

/** Which codes stand under which `// Heading` of the registry. */
function areas(source: string): readonly { readonly title: string; readonly codes: readonly string[] }[] {
  const found: { title: string; codes: string[] }[] = [{ title: 'General', codes: [] }];
  for (const line of source.slice(source.indexOf('DIAGNOSTIC_CODES')).split('\n')) {
    const title = /^ {2}\/\/ (.+)$/.exec(line)?.[1];
    const code = /^ {2}(\w+): \{/.exec(line)?.[1];
    if (title !== undefined) found.push({ title, codes: [] });
    if (code !== undefined) found.at(-1)?.codes.push(code);
  }
  return found.filter((area) => area.codes.length > 0);
}

function page(registry: Readonly<Record<string, CodeEntry>>, sections: ReturnType<typeof areas>): string {
  const listed = sections.flatMap((section) => section.codes);
  const missing = Object.keys(registry).filter((code) => !listed.includes(code));
  if (missing.length > 0) throw new Error(`codes.ts: not found as \`  Code: {\` under a comment heading: ${missing.join(', ')}`);
  return [
    '<!-- Generated from src/diagnostics/codes.ts by `npm run generate`. -->',
    '',
    '# Diagnostics',
    '',
    'Every sentence that Ramjet says about an object carries one of these codes. A code keeps its meaning for good.',
    '',
    ...Object.entries(SEVERITIES).map(([severity, meaning]) => `- **${severity}**: ${meaning}`),
    ...sections.flatMap(({ title, codes }) => ['', `## ${title}`, '', ...codes.flatMap((code) => entry(code, registry[code]))]),
    '',
  ]
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replace(/\n+$/, '\n');
}

function entry(code: string, known: CodeEntry | undefined): readonly string[] {
  if (known === undefined) throw new Error(`codes.ts: ${code} is not in DIAGNOSTIC_CODES`);
  return [`### ${code}`, '', `*${known.severity}*. ${known.summary}`, '', `**To mend:** ${known.hint}`, ''];
}
