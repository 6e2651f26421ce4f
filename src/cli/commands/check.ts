import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimIngresses } from '../../compiler/claim.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { compareText } from '../../model/origin.ts';
import type { Snapshot } from '../../objects/snapshot.ts';
import type { KubeObject } from '../../objects/types.ts';
import { type Command, EXIT_USAGE, flagOption, type Given, textOption } from '../command.ts';
import type { Io } from '../io.ts';
import { byPlace, diagnosticLines, diagnosticView } from '../output/diagnostics.ts';
import { sarif } from '../output/sarif.ts';
import { counted, json } from '../output/text.ts';
import { requireHaproxy } from './haproxy.ts';
import { INPUT_OPTIONS, type Input, readInput } from './input.ts';
import { ownVersion } from './package.ts';

export const check: Command = {
  name: 'check',
  summary: 'Say what is wrong with manifests, without a cluster.',
  description: 'PATHS are files, folders, or - for standard input.',
  examples: [
    { says: 'Check a folder', line: 'ramjet check manifests/' },
    { says: 'Check what a template gives, and let warnings fail too', line: 'helm template ./chart | ramjet check --strict -' },
    { says: 'For a code host that shows findings beside the lines', line: 'ramjet check --output sarif manifests/ > ramjet.sarif' },
  ],
  arguments: [{ name: 'PATHS', many: true, completes: 'files' }],
  options: [
    { long: 'output', short: 'o', value: 'FORMAT', choices: ['text', 'json', 'sarif'], default: 'text', summary: 'How to print.' },
    { long: 'strict', summary: 'Warnings count as errors.' },
    { long: 'with-haproxy', summary: 'Let HAProxy check what the manifests compile to, too.' },
    { long: 'haproxy', value: 'PATH', summary: 'The HAProxy for --with-haproxy.', completes: 'files' },
    ...INPUT_OPTIONS,
  ],
  exits: { 1: 'At least one error (with --strict: or warning).', 2: 'The command line can not be used, or a file can not be read.' },
  json: [
    ['objects[]', 'every object that was read, by file and line'],
    ['objects[].kind, .namespace, .name', 'which object; the namespace is empty for kinds that have none'],
    ['objects[].file, .line', 'where it begins; standard input is called `stdin`'],
    ['objects[].claimed', 'whether Ramjet serves the Ingress, by its class; null for other kinds'],
    ['diagnostics[]', 'what there is to say, by file and line'],
    ['diagnostics[].code', 'one of [the codes](diagnostics.md)'],
    ['diagnostics[].severity', '`error`, `warning` or `info`'],
    ['diagnostics[].object', '`{kind, namespace, name}`; kind `File` for a file that is not an object'],
    ['diagnostics[].field', 'path of the field in the object; null for the object as a whole'],
    ['diagnostics[].file, .line', 'where that is; null if it is nowhere'],
    ['diagnostics[].message, .hint', 'one sentence each: what is wrong, and what to do'],
  ],
  run,
};

async function run(given: Given, io: Io): Promise<number> {
  const input = await readInput(given.arguments, given, io);
  const rejected = flagOption(given, 'with-haproxy') ? await askHaproxy(input, textOption(given, 'haproxy'), io) : [];
  const diagnostics = [...input.compiled.diagnostics, ...rejected].sort(byPlace);
  switch (textOption(given, 'output')) {
    case 'json':
      io.stdout.write(json({ objects: objectViews(input), diagnostics: diagnostics.map(diagnosticView) }));
      break;
    case 'sarif':
      io.stdout.write(json(sarif(diagnostics, ownVersion(io))));
      break;
    default:
      io.stdout.write(`${diagnosticLines(diagnostics, io)}${summary(input, diagnostics)}\n`);
  }
  if (input.unreadable.length > 0) return EXIT_USAGE;
  return diagnostics.some(({ severity }) => severity === 'error' || (severity === 'warning' && flagOption(given, 'strict'))) ? 1 : 0;
}

/** One entry of `objects` in `--output json`. `claimed`: Ramjet serves it; null for kinds that are not claimed one by one. */
interface ObjectView {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly claimed: boolean | null;
}

function objectViews({ snapshot, settings }: Input): readonly ObjectView[] {
  const claimed = new Set<KubeObject>(claimIngresses(snapshot, settings.compile).claims.map((claim) => claim.ingress));
  const views = objectsOf(snapshot).map((object): ObjectView => {
    const { kind, metadata, position } = object;
    const { file = null, line = null } = position ?? {};
    return {
      kind,
      namespace: metadata.namespace,
      name: metadata.name,
      file,
      line,
      claimed: kind === 'Ingress' ? claimed.has(object) : null,
    };
  });
  return views.sort(
    (a, b) =>
      compareText(a.file ?? '', b.file ?? '') ||
      (a.line ?? 0) - (b.line ?? 0) ||
      compareText(a.kind, b.kind) ||
      compareText(a.name, b.name),
  );
}

function objectsOf(snapshot: Snapshot): readonly KubeObject[] {
  const { ingresses, ingressClasses, services, endpointSlices, secrets, configMaps, namespaces } = snapshot;
  const tables: readonly ReadonlyMap<string, KubeObject>[] = [ingressClasses, services, secrets, configMaps, namespaces];
  return [...ingresses, ...tables.flatMap((table) => [...table.values()]), ...[...endpointSlices.values()].flat()];
}

function summary(input: Input, diagnostics: readonly Diagnostic[]): string {
  const count = (severity: Diagnostic['severity']) => diagnostics.filter((entry) => entry.severity === severity).length;
  const views = objectViews(input);
  const served = views.filter((view) => view.claimed).length;
  const found = [counted(count('error'), 'error'), counted(count('warning'), 'warning'), counted(count('info'), 'note')].join(', ');
  return `${counted(views.length, 'object')} (${counted(served, 'Ingress', 'Ingresses')} served): ${found}`;
}

/** What HAProxy refuses, by the object that causes it. */
async function askHaproxy({ compiled, settings }: Input, named: string | undefined, io: Io): Promise<readonly Diagnostic[]> {
  const haproxy = await requireHaproxy(named, io);
  const directory = await mkdtemp(join(tmpdir(), 'ramjet-check-'));
  try {
    const { refusedObjects } = await import('./refusals.ts');
    return await refusedObjects(compiled.model, { ...settings.plan, version: haproxy.version, runDir: directory }, haproxy.path);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
