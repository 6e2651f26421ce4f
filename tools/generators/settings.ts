import { environmentName, type SettingSpec, SETTINGS } from '../../src/settings/table.ts';
import { code, table } from '../markdown.ts';

/** The reference page of all settings, from their table. */
export function generate(): ReadonlyMap<string, string> {
  const page = [
    '<!-- Generated from src/settings/table.ts by `npm run generate`. -->',
    '',
    '# Settings',
    '',
    'Of `ramjet serve`. A flag wins over the environment variable, that over the default. A value that can not be used ends the start,',
    'with the name of what carried it. Flags without a value are switches: `--http3`, `--no-http3`; in the environment `true` or `false`.',
    '',
    ...table(['Flag', 'Environment', 'Default', 'Meaning'], SETTINGS.map(row)),
    '',
  ];
  return new Map([['docs/reference/settings.md', page.join('\n')]]);
}

function row({ flag, value, default: fallback, summary }: SettingSpec): readonly string[] {
  return [
    code(value === '' ? `--${flag}` : `--${flag} ${value}`),
    code(environmentName(flag)),
    fallback === '' ? 'none' : fallback,
    summary,
  ];
}
