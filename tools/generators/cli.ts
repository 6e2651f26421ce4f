import type { Command, OptionSpec } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands/index.ts';
import { exitLines, optionSummary, optionText, PRODUCT, usageLine } from '../../src/cli/help.ts';

/** The reference page of the command line, from the table of commands. */
export function generate(): ReadonlyMap<string, string> {
  const page = [
    '<!-- Generated from src/cli/commands/ by `npm run generate`. -->',
    '',
    '# Command line',
    '',
    PRODUCT,
    '',
    '| Command | |',
    '|---|---|',
    ...COMMANDS.map(({ name, summary }) => `| [\`ramjet ${name}\`](#ramjet-${name}) | ${summary} |`),
    '',
    'Output for people may change; that of `--output json` and `--output sarif` is stable. Colour is used at a terminal only,',
    'and not at all with `NO_COLOR`. `ramjet COMMAND --help` prints what stands here.',
    '',
    ...COMMANDS.flatMap(commandSection),
  ];
  return new Map([['docs/reference/cli.md', page.join('\n')]]);
}

function commandSection(command: Command): readonly string[] {
  const { name, summary, description, examples, options, exits, json } = command;
  return [
    `## ramjet ${name}`,
    '',
    summary,
    '',
    ...(description === undefined ? [] : [description, '']),
    '```sh',
    usageLine(command),
    '```',
    '',
    ...(options.length === 0 ? [] : ['| Option | |', '|---|---|', ...options.map(optionRow), '']),
    ...(json === undefined
      ? []
      : ['`--output json`:', '', '| Field | |', '|---|---|', ...json.map(([field, meaning]) => `| \`${field}\` | ${cell(meaning)} |`), '']),
    ...(exits === undefined
      ? []
      : ['Exit codes:', '', ...exitLines(exits).map((line) => `- ${line.trim().replace(/^(\d+) +/, '`$1`: ')}`), '']),
    '```sh',
    ...examples.flatMap(({ says, line }) => [`# ${says}`, line]),
    '```',
    '',
  ];
}

function optionRow(option: OptionSpec): string {
  return `| \`${optionText(option)}\` | ${cell(optionSummary(option))} |`;
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
