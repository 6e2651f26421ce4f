import { FOLDER_DEFAULTS, type Settings } from './settings.ts';
import { environmentName, SETTINGS } from './table.ts';

export type ReadSettings =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Flags win over the environment, the environment over the defaults. Each problem names what carried the value. */
export function readSettings(
  flags: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
  defaults: Settings = FOLDER_DEFAULTS,
): ReadSettings {
  let settings = defaults;
  const problems: string[] = [];
  for (const spec of SETTINGS) {
    const variable = environmentName(spec.flag);
    const given =
      flags[spec.flag] === undefined ? { name: variable, text: environment[variable] } : { name: `--${spec.flag}`, text: flags[spec.flag] };
    if (given.text === undefined) continue;
    const outcome = spec.apply(settings, given.text);
    if (outcome.ok) settings = outcome.value;
    else problems.push(`${given.name} ${JSON.stringify(given.text)} ${outcome.problem}.`);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings };
}
