import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { PARTS } from './parts.generated.ts';
import { FEATURES } from './features.generated.ts';
import { CATALOGUE } from './catalogue.ts';
import { DIALECT_NAMES, DIALECTS } from './contract/dialect.ts';
import type { Feature } from './contract/feature.ts';
import { keyStatus } from './contract/registry.ts';
import { FEATURE_ORDER } from './order.ts';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Every key of a feature with the dialect it stands in. */
function keysOf(feature: Feature) {
  return DIALECT_NAMES.flatMap((dialect) => Object.values(feature.readers[dialect]?.keys ?? {}).map((spec) => ({ dialect, spec })));
}

describe.each(FEATURE_ORDER.filter((name) => existsSync(join(root, name))))('the folder %s', (name) => {
  const files = readdirSync(join(root, name));

  test('holds a README, a feature and cases that are run', () => {
    expect(files).toEqual(expect.arrayContaining(['README.md', 'feature.ts']));
    // Cases that need certificates made at run time are tables in a test instead.
    const tables = files.some((file) => file.endsWith('.test.ts') && file !== 'cases.test.ts');
    if (files.includes('haproxy.ts') && !tables) expect(files).toEqual(expect.arrayContaining(['cases', 'cases.test.ts']));
  });
});

test('every listed folder exists', () => {
  expect(FEATURE_ORDER.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});

test('every part belongs to a feature of its level', () => {
  for (const part of PARTS) {
    const feature = FEATURES.find((one) => one.name === part.feature);
    expect(feature, part.feature).toBeDefined();
    if (feature?.level !== 'canary') expect(feature?.level).toBe(part.level);
  }
});

test('no key is declared twice in a dialect', () => {
  const seen = new Map<string, string>();
  const declared = [
    ...FEATURES.flatMap((feature) =>
      keysOf(feature).map(({ dialect, spec }) => ({
        dialect,
        feature: feature.name as string,
        names: [spec.name, ...(spec.aliases ?? [])],
      })),
    ),
    ...CATALOGUE.map(({ dialect, feature, spec }) => ({ dialect, feature, names: [spec.name] })),
  ];
  const twice: string[] = [];
  for (const { dialect, feature, names } of declared) {
    for (const name of names) {
      const key = `${DIALECTS[dialect].prefixes[0]}/${name}`;
      const holder = seen.get(key);
      if (holder !== undefined && holder !== feature) twice.push(`${key}: ${holder} and ${feature}`);
      seen.set(key, feature);
    }
  }
  expect(twice).toEqual([]);
});

test('every key says what it does in one sentence', () => {
  for (const feature of FEATURES) {
    for (const { spec } of keysOf(feature)) {
      expect(spec.summary, spec.name).toMatch(/^\S.*\.$/s);
      expect(spec.value, spec.name).not.toBe('');
      expect(spec.default, spec.name).not.toBe('');
    }
  }
});

/** All cases: YAML files, and tables in tests and their helpers. */
function caseTexts(): string {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const files = folders.flatMap(({ name }) =>
    readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(^|\/)cases\/.*\.yaml$|\.test\.ts$|(^|\/)testing\/.*\.ts$/.test(file))
      .map((file) => join(root, name, file)),
  );
  return files.map((file) => readFileSync(file, 'utf8')).join('\n');
}

test('every honoured key stands in a case that sends requests', () => {
  const text = caseTexts();
  const used = (prefix: string, key: string) => text.includes(`${prefix}/${key}`) || text.includes(`'${key}'`);
  const missing = FEATURES.flatMap((feature) =>
    keysOf(feature)
      .filter(({ spec }) => keyStatus(spec).is === 'honoured')
      .flatMap(({ dialect, spec }) => {
        const prefixes = [...DIALECTS[dialect].prefixes, ...(dialect === 'mse' ? DIALECTS.nginx.prefixes : [])];
        return [spec.name, ...(spec.aliases ?? [])]
          .filter((key) => !prefixes.some((prefix) => used(prefix, key)))
          .map((key) => `${feature.name}: ${dialect} ${key}`);
      }),
  );
  expect(missing).toEqual([]);
});
