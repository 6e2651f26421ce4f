import { stringify } from 'yaml';
import { driverOf } from '../../haproxy/driver.ts';
import type { HaproxyVersion } from '../../haproxy/feature.ts';
import { Planner } from '../../haproxy/plan/build.ts';
import type { Plan } from '../../haproxy/plan/plan.ts';
import { PLAN_DEFAULTS } from '../../haproxy/plan/settings.ts';
import { renderConfig, renderMap } from '../../haproxy/render/text.ts';
import { Secret } from '../../model/secret.ts';
import { SETTINGS } from '../../settings/table.ts';
import { type Command, EXIT_USAGE, type Given, textOption } from '../command.ts';
import type { Io } from '../io.ts';
import { byPlace, diagnosticLines } from '../output/diagnostics.ts';
import { plain } from '../output/plain.ts';
import { json } from '../output/text.ts';
import { INPUT_OPTIONS, type Input, readInput } from './input.ts';
import { settingOption } from './serve.ts';

/** Settings that the plan depends on, beside those of the input. */
const PLAN_FLAGS = ['http', 'https', 'public-http-port', 'http3', 'proxy-protocol', 'trusted-proxies', 'run-dir', 'threads', 'access-log'];

export const translate: Command = {
  name: 'translate',
  summary: 'Print what manifests become on their way to HAProxy.',
  description: [
    'PATHS are files, folders, or - for standard input. What there is to say about the manifests goes to standard error.',
    'model is what is served, in neutral words; plan is everything HAProxy is given; config and maps are its files as text.',
    'Keys and password hashes print as [redacted]. Equal manifests and settings give equal text.',
  ].join('\n'),
  examples: [
    { says: 'The neutral model', line: 'ramjet translate manifests/' },
    { says: 'The configuration for HAProxy 3.2', line: 'ramjet translate --to config --haproxy-version 3.2 manifests/' },
    { says: 'The map entries of one file', line: 'ramjet translate --to maps shop.yaml' },
  ],
  arguments: [{ name: 'PATHS', many: true, completes: 'files' }],
  options: [
    { long: 'to', value: 'FORM', choices: ['model', 'plan', 'config', 'maps'], default: 'model', summary: 'Which of the forms to print.' },
    { long: 'output', short: 'o', value: 'FORMAT', choices: ['yaml', 'json'], default: 'yaml', summary: 'How to print model and plan.' },
    { long: 'haproxy-version', value: 'VERSION', choices: ['3.2', '3.4'], default: '3.4', summary: 'For which HAProxy.' },
    ...SETTINGS.filter((spec) => PLAN_FLAGS.includes(spec.flag)).map(settingOption),
    ...INPUT_OPTIONS,
  ],
  exits: { 2: 'The command line can not be used, or a file can not be read.' },
  run,
};

async function run(given: Given, io: Io): Promise<number> {
  const input = await readInput(given.arguments, given, io);
  const said = input.compiled.diagnostics.filter(({ severity }) => severity !== 'info').sort(byPlace);
  io.stderr.write(diagnosticLines(said, io));
  const print = textOption(given, 'output') === 'json' ? json : yaml;
  switch (textOption(given, 'to')) {
    case 'plan':
      io.stdout.write(print(planView(await planOf(input, given))));
      break;
    case 'config':
      io.stdout.write(renderConfig(await planOf(input, given)));
      break;
    case 'maps':
      io.stdout.write(mapsText(await planOf(input, given)));
      break;
    default:
      io.stdout.write(print(plain(input.compiled.model)));
  }
  return input.unreadable.length > 0 ? EXIT_USAGE : 0;
}

function yaml(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

async function planOf({ compiled, settings }: Input, given: Given): Promise<Plan> {
  const version: HaproxyVersion = textOption(given, 'haproxy-version') === '3.2' ? '3.2' : '3.4';
  const planner = new Planner(
    await driverOf(),
    { ...settings.plan, version, runDir: settings.runDir ?? PLAN_DEFAULTS.runDir },
    new Secret(''),
  );
  return planner.plan(compiled.model);
}

/** Lua sources are Ramjet's own and long; what the agent is told holds password hashes. */
function planView({ version, structure, backends, maps, certificates, files, agent }: Plan): unknown {
  const sizes = [...structure.lua].map(([name, text]) => [name, `[${text.length} characters]`] as const);
  const shown = [...files].map(([name, file]) => [name, file.secret ? new Secret('') : file.content] as const);
  const questions = [...agent].map(
    ([handler, entries]) => [handler, new Map([...entries.keys()].map((key) => [key, new Secret('')]))] as const,
  );
  return plain({
    version,
    structure: { ...structure, lua: new Map(sizes) },
    backends,
    maps,
    certificates,
    files: new Map(shown),
    agent: new Map(questions),
  });
}

/** `# name`, then the entries as they stand in the file. */
function mapsText(plan: Plan): string {
  return [...plan.maps.values()].map((map) => `# ${map.name}\n${renderMap(map)}`).join('\n');
}
