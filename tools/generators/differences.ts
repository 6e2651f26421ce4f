import { DIALECT_NAMES, DIALECTS } from '../../src/features/contract/dialect.ts';
import { FEATURES } from '../../src/features/features.generated.ts';
import { code } from '../markdown.ts';

/** Every declared difference from the origin of a dialect, on one page. */
export function generate(): ReadonlyMap<string, string> {
  const lines = DIALECT_NAMES.flatMap((dialect) => {
    const items = FEATURES.flatMap((feature) =>
      Object.values(feature.readers[dialect]?.keys ?? {}).flatMap((spec) =>
        spec.difference === undefined ? [] : [`- ${code(spec.name)}: ${spec.difference}`],
      ),
    );
    const unique = [...new Set(items)].sort();
    return unique.length === 0
      ? []
      : [`## ${dialect}`, '', `Prefix ${DIALECTS[dialect].prefixes.map(code).join(' or ')}.`, '', ...unique, ''];
  });
  const head = [
    '<!-- Generated from the declarations in src/features/ by `npm run generate`. -->',
    '',
    '# Differences',
    '',
    'Where Ramjet does otherwise than the origin of a key, and why.',
    '',
  ];
  return new Map([['docs/reference/differences.md', [...head, ...lines].join('\n')]]);
}
