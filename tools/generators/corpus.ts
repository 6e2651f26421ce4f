import { claimIngresses } from '../../src/compiler/claim.ts';
import { compile } from '../../src/compiler/compile.ts';
import { findKey } from '../../src/compiler/keys.ts';
import type { DiagnosticCode } from '../../src/diagnostics/codes.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { CATALOGUE } from '../../src/features/catalogue.ts';
import { DIALECT_NAMES, DIALECTS, type Dialect } from '../../src/features/contract/dialect.ts';
import { registryOf } from '../../src/features/contract/registry.ts';
import { FEATURES } from '../../src/features/features.generated.ts';
import { annotationField } from '../../src/objects/origin.ts';
import { snapshotOf } from '../../src/objects/snapshot.ts';
import type { Ingress } from '../../src/objects/types.ts';
import { FOLDER_DEFAULTS } from '../../src/settings/settings.ts';
import { readManifestText } from '../../src/sources/manifests/read.ts';
import { type CorpusFile, corpusFiles, corpusFolder } from '../corpus.ts';
import { code, table } from '../markdown.ts';

const PAGE = 'docs/reference/corpus.md';

/** What became of one annotation, in the order of the summary. */
const STATES = ['honoured', 'bad value', 'no effect here', 'no-op', 'refused', 'pending', 'unknown', 'foreign', 'other'] as const;
type State = (typeof STATES)[number];

/** What a diagnostic on an annotation says of it; the first that is there counts. */
const BY_CODE: readonly (readonly [DiagnosticCode, State])[] = [
  ['ForeignAnnotation', 'foreign'],
  ['UnknownAnnotation', 'unknown'],
  ['AnnotationRefused', 'refused'],
  ['AnnotationPending', 'pending'],
  ['AnnotationNoOp', 'no-op'],
  ['InvalidAnnotation', 'bad value'],
  ['AnnotationIgnored', 'no effect here'],
  ['AnnotationFamilyConflict', 'no effect here'],
];

interface Use {
  readonly key: string;
  readonly state: State;
}

interface ObjectReport {
  readonly file: string;
  readonly line: number;
  readonly uses: readonly Use[];
}

interface FileReport {
  readonly file: string;
  readonly documents: number;
  readonly ingresses: number;
  readonly claimed: readonly ObjectReport[];
  readonly codes: readonly DiagnosticCode[];
}

const registry = registryOf(FEATURES, CATALOGUE);

/** How the manifests of public projects fare: a summary, then each object. */
export function generate(root: string): ReadonlyMap<string, string> {
  const folder = corpusFolder(root);
  if (folder === undefined) {
    process.stdout.write(`${PAGE}: warning: not looked at, there is no corpus on this machine (RAMJET_CORPUS names it)\n`);
    return new Map();
  }
  return new Map([[PAGE, page(corpusFiles(folder).map(reportOf))]]);
}

/** Each file on its own: as written by one project, without the others. */
function reportOf({ name, text }: CorpusFile): FileReport {
  const { objects, diagnostics } = readManifestText(text, name);
  const snapshot = snapshotOf(objects, diagnostics);
  const compiled = compile(snapshot, FOLDER_DEFAULTS.compile, registry);
  const { claims } = claimIngresses(snapshot, FOLDER_DEFAULTS.compile);
  return {
    file: name,
    documents: objects.length + diagnostics.filter((one) => one.code === 'UnknownKind').length,
    ingresses: snapshot.ingresses.length,
    claimed: claims.map(({ ingress }) => objectReport(ingress, compiled.diagnostics)),
    codes: compiled.diagnostics.map((one) => one.code),
  };
}

function objectReport(ingress: Ingress, diagnostics: readonly Diagnostic[]): ObjectReport {
  const { namespace, name, annotations } = ingress.metadata;
  const { file = '', line = 0 } = ingress.position ?? {};
  const own = diagnostics.filter(({ origin }) => origin.kind === 'Ingress' && origin.namespace === namespace && origin.name === name);
  const uses = Object.keys(annotations).map((key): Use => {
    const said = own.filter(({ origin }) => origin.field === annotationField(key)).map((one) => one.code);
    return { key: shortKey(key), state: BY_CODE.find(([code]) => said.includes(code))?.[1] ?? (isKnown(key) ? 'honoured' : 'other') };
  });
  return { file, line, uses };
}

function isKnown(fullKey: string): boolean {
  const dialect = dialectOf(fullKey);
  return dialect !== undefined && findKey(registry, dialect, fullKey.slice(fullKey.indexOf('/') + 1)) !== undefined;
}

function dialectOf(fullKey: string): Dialect | undefined {
  return DIALECT_NAMES.find((dialect) => DIALECTS[dialect].prefixes.some((prefix) => fullKey.startsWith(`${prefix}/`)));
}

/** Keys of nginx without their prefix, those of other dialects with the dialect's name. */
function shortKey(fullKey: string): string {
  const dialect = dialectOf(fullKey);
  if (dialect === undefined) return fullKey;
  const name = fullKey.slice(fullKey.indexOf('/') + 1);
  return dialect === 'nginx' ? name : `${dialect}/${name}`;
}

function page(files: readonly FileReport[]): string {
  const real = files.filter(({ file }) => file.startsWith('real/'));
  const suites = files.filter(({ file }) => !file.startsWith('real/'));
  const objects = files.flatMap((file) => file.claimed);
  return [
    '<!-- Generated from a corpus of public manifests by `npm run generate`; the corpus is no part of this repository. -->',
    '',
    '# Corpus',
    '',
    'How Ramjet reads manifests of public projects (*real*) and of the documents and tests of other controllers (*suites*). Each file is',
    'compiled on its own with the default settings. No file gives an internal error, and `test/long/corpus.test.ts` serves them all.',
    '',
    ...summaryTable(real, suites),
    '',
    '## Annotations of the claimed Ingresses',
    '',
    '*Bad value*: a key that is honoured, with a value that can not be used. *No effect here*: honoured elsewhere, for instance without the key',
    'it depends on. *Foreign*: of another ingress controller. *Other*: of tools that are no ingress controller.',
    '',
    ...stateTable(real, suites),
    '',
    '## Keys that are not honoured',
    '',
    ...table(['Key', 'State', 'Real', 'Suites'], missingKeys(real, suites)),
    '',
    '## Objects',
    '',
    'By file and line, with the keys of the dialects that Ramjet reads; keys of nginx stand without their prefix.',
    ...folders(files).flatMap((folder) => ['', `### ${folder}`, '', ...objectTable(folder, objects)]),
    '',
  ].join('\n');
}

function summaryTable(real: readonly FileReport[], suites: readonly FileReport[]): readonly string[] {
  const rows: readonly (readonly [string, (files: readonly FileReport[]) => number])[] = [
    ['Files', (files) => files.length],
    ['Documents', (files) => sum(files, (file) => file.documents)],
    ['Ingresses', (files) => sum(files, (file) => file.ingresses)],
    ['Claimed Ingresses', (files) => sum(files, (file) => file.claimed.length)],
    [
      'Claimed Ingresses with every key of our dialects honoured or without meaning',
      (files) => sum(files, (file) => file.claimed.filter(isWhole).length),
    ],
    ['Documents that can not be read', (files) => sum(files, (file) => file.codes.filter((one) => one === 'UnreadableDocument').length)],
    ['Internal errors', (files) => sum(files, (file) => file.codes.filter((one) => one === 'InternalError').length)],
  ];
  return table(
    ['', 'Real', 'Suites', 'All'],
    rows.map(([head, count]) => [head, ...[real, suites, [...real, ...suites]].map((files) => String(count(files)))]),
  );
}

function isWhole({ uses }: ObjectReport): boolean {
  return uses.every(({ state }) => ['honoured', 'no-op', 'foreign', 'other'].includes(state));
}

function stateTable(real: readonly FileReport[], suites: readonly FileReport[]): readonly string[] {
  const counts = (files: readonly FileReport[], state: State) => {
    const objects = files.flatMap((file) => file.claimed);
    const uses = sum(objects, (object) => object.uses.filter((use) => use.state === state).length);
    return `${uses} in ${objects.filter((object) => object.uses.some((use) => use.state === state)).length}`;
  };
  const rows = STATES.map((state) => [state, counts(real, state), counts(suites, state), counts([...real, ...suites], state)]);
  return table(['State', 'Real: uses in objects', 'Suites', 'All'], rows);
}

function missingKeys(real: readonly FileReport[], suites: readonly FileReport[]): readonly (readonly string[])[] {
  const shown: readonly State[] = ['refused', 'pending', 'unknown'];
  const usesOf = (files: readonly FileReport[]) =>
    files.flatMap((file) => file.claimed.flatMap((object) => object.uses.filter((use) => shown.includes(use.state))));
  const [inReal, inSuites] = [usesOf(real), usesOf(suites)];
  const names = new Map([...inReal, ...inSuites].map((use) => [`${use.key} ${use.state}`, use]));
  const count = (uses: readonly Use[], { key, state }: Use) => uses.filter((use) => use.key === key && use.state === state).length;
  const rows = [...names.values()].map((use) => ({ use, real: count(inReal, use), suites: count(inSuites, use) }));
  rows.sort((a, b) => b.real - a.real || b.suites - a.suites || (a.use.key < b.use.key ? -1 : 1));
  return rows.map((row) => [code(row.use.key), row.use.state, String(row.real), String(row.suites)]);
}

function folders(files: readonly FileReport[]): readonly string[] {
  return [...new Set(files.filter((file) => file.claimed.length > 0).map(({ file }) => file.slice(0, file.indexOf('/'))))].sort();
}

function objectTable(folder: string, objects: readonly ObjectReport[]): readonly string[] {
  const inFolder = objects.filter(({ file }) => file.startsWith(`${folder}/`));
  const place = ({ file, line }: ObjectReport) => `${file.slice(folder.length + 1)}:${line}`;
  const rows = inFolder.map((object) => [place(object), ...columns(object)]);
  const [telling, silent] = [
    rows.filter((row) => row.slice(1).some((text) => text !== '')),
    rows.filter((row) => row.slice(1).every((text) => text === '')),
  ];
  const without = silent.length === 0 ? [] : ['', `Without a key of these dialects: ${silent.map(([first]) => first).join(', ')}.`];
  return [...(telling.length === 0 ? [] : table(['Object', 'Honoured', 'Not yet', 'Refused', 'Noted'], telling)), ...without];
}

function columns({ uses }: ObjectReport): readonly string[] {
  const keys = (state: State) =>
    uses
      .filter((use) => use.state === state)
      .map((use) => use.key)
      .sort()
      .join(' ');
  const noted = (['bad value', 'no effect here', 'unknown', 'no-op'] as const).flatMap((state) =>
    keys(state) === '' ? [] : [`${state}: ${keys(state)}`],
  );
  return [keys('honoured'), keys('pending'), keys('refused'), noted.join('; ')];
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
