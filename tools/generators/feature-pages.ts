import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIALECT_NAMES } from '../../src/features/contract/dialect.ts';
import type { Feature } from '../../src/features/contract/feature.ts';
import { FEATURES } from '../../src/features/features.generated.ts';
import { FEATURE_ORDER } from '../../src/features/order.ts';
import { anchor, code, table } from '../markdown.ts';

const FAILURE = {
  skip: 'the feature is left out for the object, everything else serves',
  close: 'the routes of the object answer 503; they are never served without it',
} as const;

/** One page of what every feature does: the READMEs of the folders, and the features declared there. */
export function generate(root: string): ReadonlyMap<string, string> {
  const folders = FEATURE_ORDER.filter((name) => declared(root, name).length > 0).toSorted();
  const page = [
    '<!-- Generated from src/features/*/README.md and the features declared there by `npm run generate`. -->',
    '',
    '# Features',
    '',
    'What each feature does. Its keys are on the pages of the dialects: [nginx](annotations/nginx.md), [mse](annotations/mse.md),',
    '[haptic](annotations/haptic.md), [ramjet](annotations/ramjet.md).',
    '',
    ...folders.map((name) => `- [${title(root, name)}](#${anchor(title(root, name))})`),
    '',
    ...folders.flatMap((name) => section(root, name)),
  ];
  return new Map([['docs/reference/features.md', page.join('\n')]]);
}

/** A folder may declare several features; they are told apart by what its feature.ts says. */
function declared(root: string, folder: string): readonly Feature[] {
  const source = sourceOf(root, folder);
  return FEATURES.filter(({ name }) => new RegExp(`name: '${name}'`).test(source));
}

function sourceOf(root: string, folder: string): string {
  try {
    return readFileSync(join(root, 'src/features', folder, 'feature.ts'), 'utf8');
  } catch {
    return '';
  }
}

function readme(root: string, folder: string): string {
  return readFileSync(join(root, 'src/features', folder, 'README.md'), 'utf8');
}

function title(root: string, folder: string): string {
  return /^# (.+)$/m.exec(readme(root, folder))?.[1] ?? folder;
}

function section(root: string, folder: string): readonly string[] {
  const text = readme(root, folder)
    .replace(/^# .+\n+/, '')
    .trimEnd();
  const features = declared(root, folder).filter((feature) => Object.keys(feature.readers).length > 0);
  const rows = features.map((feature) => [
    code(feature.name),
    feature.summary,
    DIALECT_NAMES.filter((dialect) => feature.readers[dialect]).join(', '),
    FAILURE[feature.failure],
  ]);
  const parts = rows.length === 0 ? [] : ['', ...table(['Part', 'What it does', 'Dialects', 'When it can not be set up'], rows)];
  return [`## ${title(root, folder)}`, '', text, ...parts, ''];
}
