import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { hostKey, pathKey } from '../model/identity.ts';
import type { Model } from '../model/model.ts';
import type { Plan } from '../haproxy/plan/plan.ts';
import { renderMap } from '../haproxy/render/text.ts';
import type { Case } from '../testing/cases.ts';
import { planText } from '../testing/plan-text.ts';

/**
 * Golden files: what each request-level case compiles to. `npx vitest run src/features/golden.test.ts -u`
 * writes them anew; read the difference before you commit it.
 */
const root = fileURLToPath(new URL('.', import.meta.url));
const folders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(root, entry.name, 'cases')))
  .map((entry) => entry.name);

const base = await planText({ summary: '', manifests: '' });

describe.each(folders)('%s', (folder) => {
  const cases = readdirSync(join(root, folder, 'cases')).filter((name) => name.endsWith('.yaml'));

  test.each(cases)('%s', async (file) => {
    const one = parse(readFileSync(join(root, folder, 'cases', file), 'utf8')) as Case;
    const { compiled, plan } = await planText(one);
    const text = [
      ...compiled.diagnostics.map(
        (entry) =>
          `${entry.severity} ${entry.code} ${entry.origin.kind}/${entry.origin.name} ${entry.origin.field ?? ''}: ${entry.message}`,
      ),
      '',
      ...modelLines(compiled.model),
      '',
      ...planLines(plan),
      '',
    ].join('\n');
    await expect(text).toMatchFileSnapshot(join(root, folder, 'golden', file.replace(/\.yaml$/, '.txt')));
  });

  test('no golden file is left without its case', () => {
    const golden = existsSync(join(root, folder, 'golden')) ? readdirSync(join(root, folder, 'golden')) : [];
    expect(golden.filter((name) => !cases.includes(name.replace(/\.txt$/, '.yaml')))).toEqual([]);
  });
});

function modelLines(model: Model): readonly string[] {
  return model.routes.flatMap((route) => [
    `route ${route.id} ${hostKey(route.host)} ${pathKey(route.path)} → ${route.closed ? `closed ${route.closed.status}` : (route.backend ?? 'none')}`,
    ...Object.entries(route.policies).map(([name, policy]) => `  ${name}: ${shorten(JSON.stringify(policy))}`),
    ...route.canaries.map(
      (canary) => `  canary ${canary.backend} ${canary.weight}/${canary.total} ${shorten(JSON.stringify(canary.rules))}`,
    ),
  ]);
}

/** A hostile value of 64 kB says as much in its first part. */
function shorten(text: string): string {
  return text.length > 1_000 ? `${text.slice(0, 1_000)}… (${text.length} characters)` : text;
}

/** Rows, and the lines that a configuration without any object does not have. */
function planLines(plan: Plan): readonly string[] {
  const usual = new Set(base.plan.structure.sections.flat());
  const plain = new Set([...base.plan.structure.profiles.values()].flat());
  return [
    ...[...plan.maps.values()].flatMap((map) =>
      map.entries.size === 0
        ? []
        : [
            `map ${map.name}`,
            ...renderMap(map)
              .trimEnd()
              .split('\n')
              .map((line) => `  ${shorten(line)}`),
          ],
    ),
    ...plan.structure.sections.flatMap(([head = '', ...lines]) => {
      const own = lines.filter((line) => !usual.has(line));
      return own.length === 0 ? [] : [head, ...own.map((line) => `  ${line}`)];
    }),
    ...[...plan.structure.profiles].flatMap(([name, lines]) => {
      const own = lines.filter((line) => !plain.has(line));
      return own.length === 0 ? [] : [`defaults ${name}`, ...own.map((line) => `  ${line}`)];
    }),
    ...[...plan.backends.values()].map(
      (backend) =>
        `backend ${backend.name} from ${backend.profile}: ${[...backend.servers.values()].map((server) => [server.name, ...server.options].join(' ')).join('; ')}`,
    ),
  ];
}
