const { join } = require('node:path');

/** Tests and what only they use may reach across; production code may not. */
const TEST_CODE = '(\\.test\\.ts$|/testing/|\\.bench\\.ts$)';

/** The only places that connect components. */
const COMPOSITION = '^src/(main\\.ts$|compose\\.ts$|compose/|cli/commands/|agent/main\\.ts$)';

/** The settings of single parts, which src/settings/ puts together. */
const PART_SETTINGS = '(compiler|haproxy/plan|agent|delivery)/settings\\.ts$';

/** What one folder of src/ may import besides itself. Anything not said here is refused. */
const MAY_IMPORT = {
  model: { allowed: [], mend: 'The model is what every other part agrees on: move what is needed into src/model/, or pass it in.' },
  diagnostics: { allowed: ['model/'], mend: 'Diagnostics know only the origin: pass text and origins in.' },
  objects: {
    allowed: ['model/', 'diagnostics/'],
    mend: 'Objects are what was read, before any meaning: put the meaning into resources/ or a feature.',
  },
  resources: {
    allowed: ['model/', 'diagnostics/', 'objects/', 'features/contract/', 'features/values/'],
    mend: 'A resource family turns objects into routes; take what belongs to others as a parameter.',
  },
  sources: {
    allowed: ['model/', 'diagnostics/', 'objects/', 'kube/', 'clock\\.ts$'],
    mend: 'A source only makes a Snapshot; the compiler gives it meaning.',
  },
  compiler: {
    allowed: ['model/', 'diagnostics/', 'objects/', 'resources/', 'features/contract/', 'features/values/'],
    mend: 'The compiler is neutral: take features and settings as parameters, and never look at HAProxy.',
  },
  haproxy: {
    allowed: ['model/', 'diagnostics/', 'clock\\.ts$', 'features/parts\\.generated\\.ts$'],
    mend: 'The driver reads the model only; what a feature needs of HAProxy stands in its haproxy.ts.',
  },
  agent: { allowed: ['model/', 'diagnostics/', 'clock\\.ts$'], mend: 'Handlers come from features and are passed in by compose.ts.' },
  delivery: {
    allowed: ['model/', 'diagnostics/', 'clock\\.ts$'],
    mend: 'Take evidence and actuators as parameters; compose.ts connects them.',
  },
  kube: { allowed: ['clock\\.ts$'], mend: 'kube/ is a client without domain words; put domain code into sources/ or report/.' },
  report: {
    allowed: ['model/', 'diagnostics/', 'objects/', 'kube/', 'clock\\.ts$'],
    mend: 'A reporter takes what happened as data; compose.ts connects it.',
  },
  admin: { allowed: ['model/', 'diagnostics/', 'clock\\.ts$'], mend: 'Take what the page shows as a parameter; compose.ts connects it.' },
  settings: {
    allowed: ['model/', 'diagnostics/', 'features/contract/', 'features/values/', PART_SETTINGS],
    mend: 'Settings are a table; what they drive reads them, not the other way round.',
  },
  cli: { allowed: ['model/', 'diagnostics/', 'clock\\.ts$'], mend: 'Only a command under cli/commands/ connects components.' },
};

function folderRule([folder, { allowed, mend }]) {
  return {
    name: `${folder}-imports`,
    severity: 'error',
    comment: `${folder}/ may import ${[`${folder}/`, ...allowed].join(', ').replaceAll(/\\|\$/g, '')} only. ${mend}`,
    from: { path: `^src/${folder}/`, pathNot: [TEST_CODE, COMPOSITION] },
    to: { path: '^src/', pathNot: [folder, ...allowed].map((path, index) => `^src/${path}${index === 0 ? '/' : ''}`) },
  };
}

const FEATURE = '^src/features/(?!contract/|values/)([^/]+)/';
const HAPROXY_CONTRACT = '^src/haproxy/(tokens|rows|phases|feature|networks)[^/]*\\.ts$';
const PURE = '^src/(agent/wire/|haproxy/runtime/(codec|arguments)|delivery/decide|delivery/expr)';

const featureRules = [
  {
    name: 'feature-imports-feature',
    severity: 'error',
    comment:
      'A feature never imports another one. Move what both need to src/features/values/ or src/features/contract/, or let the model carry it.',
    from: { path: FEATURE, pathNot: TEST_CODE },
    to: { path: FEATURE, pathNot: '^src/features/$1/' },
  },
  {
    name: 'feature-imports',
    severity: 'error',
    comment:
      'A feature may import model/, diagnostics/, objects/, features/contract/ and features/values/ only. Take anything else as a parameter.',
    from: { path: FEATURE, pathNot: [TEST_CODE, '^src/features/[^/]+/(haproxy|agent)[^/]*\\.ts$'] },
    to: { path: '^src/', pathNot: ['^src/(model|diagnostics|objects)/', '^src/features/'] },
  },
  {
    name: 'feature-haproxy-imports',
    severity: 'error',
    comment:
      "Besides what its feature may import, haproxy.ts may import HAProxy's contract only: src/haproxy/{tokens,rows,phases,feature,networks}*.ts.",
    from: { path: '^src/features/[^/]+/haproxy[^/]*\\.ts$', pathNot: TEST_CODE },
    to: { path: '^src/', pathNot: ['^src/(model|diagnostics|objects)/', '^src/features/', HAPROXY_CONTRACT] },
  },
  {
    name: 'feature-agent-imports',
    severity: 'error',
    comment:
      "Besides what its feature may import, agent.ts may import the agent's contract only: src/agent/wire/ and src/agent/server/handler.ts.",
    from: { path: '^src/features/[^/]+/agent[^/]*\\.ts$', pathNot: TEST_CODE },
    to: {
      path: '^src/',
      pathNot: ['^src/(model|diagnostics|objects)/', '^src/features/', '^src/agent/(wire/|server/handler\\.ts$)', '^src/clock\\.ts$'],
    },
  },
  {
    name: 'feature-shared-imports',
    severity: 'error',
    comment: 'features/contract/ and features/values/ serve all features: they import model/, diagnostics/, objects/ and each other only.',
    from: { path: '^src/features/(contract|values)/', pathNot: TEST_CODE },
    to: { path: '^src/', pathNot: ['^src/(model|diagnostics|objects)/', '^src/features/(contract|values)/'] },
  },
];

const boundaryRules = [
  {
    name: 'haproxy-words',
    severity: 'error',
    comment: 'Only src/haproxy/ and a feature’s haproxy.ts know HAProxy words. Say it in the model, and let haproxy.ts translate it.',
    from: {
      path: '^src/',
      pathNot: [TEST_CODE, COMPOSITION, '^src/haproxy/', '^src/features/[^/]+/haproxy[^/]*\\.ts$', '^src/features/parts\\.generated\\.ts$'],
    },
    to: { path: '^src/haproxy/', pathNot: `^src/${PART_SETTINGS}` },
  },
  {
    name: 'pure-imports',
    severity: 'error',
    comment:
      'agent/wire, haproxy/runtime/codec, delivery/decide and delivery/expr import nothing but types: no Node module, no package. Pass the value in.',
    from: { path: PURE, pathNot: TEST_CODE },
    to: { pathNot: [PURE], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'model-without-packages',
    severity: 'error',
    comment: 'The model and the contracts depend on no npm package. Convert at the edge.',
    from: { path: '^src/(model|diagnostics|objects|features/contract)/', pathNot: TEST_CODE },
    to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg'] },
  },
  {
    name: 'composition-is-on-top',
    severity: 'error',
    comment: 'compose.ts, main.ts and cli/commands are on top: nothing imports them. Move the shared part below.',
    from: { path: '^src/', pathNot: [TEST_CODE, COMPOSITION, '^src/cli/'] },
    to: { path: COMPOSITION },
  },
  {
    name: 'clock-imports',
    severity: 'error',
    comment: 'clock.ts imports nothing.',
    from: { path: '^src/clock\\.ts$' },
    to: { path: '^src/' },
  },
  {
    name: 'test-code-in-production',
    severity: 'error',
    comment: 'Production code imports neither tests nor testing/. Move the shared part beside the code.',
    from: { path: '^src/', pathNot: TEST_CODE },
    to: { path: `(${TEST_CODE}|^(test|bench|tools)/)` },
  },
  {
    name: 'dev-package-in-production',
    severity: 'error',
    comment: 'A development package is not there at run time. Move it to "dependencies", or the code to tests.',
    from: { path: '^src/', pathNot: TEST_CODE },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/' },
  },
];

const generalRules = [
  {
    name: 'no-cycles',
    severity: 'error',
    comment: 'These files import each other. Move what both need into a third file, or pass it as a parameter.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-unresolvable',
    severity: 'error',
    comment: 'The import leads nowhere: mend the path, or add the package to package.json.',
    from: {},
    to: { couldNotResolve: true },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [...Object.entries(MAY_IMPORT).map(folderRule), ...featureRules, ...boundaryRules, ...generalRules],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|node_modules/\\.cache)' },
    // Type imports count: a folder that only borrows a type is still tied to it.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: join(__dirname, 'tsconfig.json') },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.json'],
    },
  },
};
