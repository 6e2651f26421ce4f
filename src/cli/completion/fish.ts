import type { Command, Completion, OptionSpec } from '../command.ts';
import { KEYS_COMMAND } from './words.ts';

export function fishCompletion(commands: readonly Command[]): string {
  const names = commands.map((command) => command.name).join(' ');
  return [
    '# fish completion for ramjet: ramjet completion fish | source',
    'complete -c ramjet -f',
    ...commands.map((command) => `complete -c ramjet -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.summary)}`),
    `complete -c ramjet -n '__fish_seen_subcommand_from help' -a ${quoted(names)}`,
    ...commands.flatMap((command) => [...command.options.flatMap((option) => optionLines(command, option)), ...operandLines(command)]),
    'complete -c ramjet -l help -s h -d Help',
    '',
  ].join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function optionLines(command: Command, option: OptionSpec): readonly string[] {
  const when = `-n '__fish_seen_subcommand_from ${command.name}'`;
  const short = option.short === undefined ? '' : ` -s ${option.short}`;
  const value = option.value === undefined ? '' : valueText(option.choices ?? option.completes ?? 'nothing');
  const lines = [`complete -c ramjet ${when} -l ${option.long}${short}${value} -d ${quoted(option.summary)}`];
  return option.negatable ? [...lines, `complete -c ramjet ${when} -l no-${option.long} -d ${quoted(`Not: ${option.summary}`)}`] : lines;
}

function valueText(completion: Completion): string {
  const offered = offer(completion);
  return completion === 'files' ? ' -r -F' : offered === undefined ? ' -x' : ` -x -a ${offered}`;
}

function offer(completion: Completion): string | undefined {
  if (completion === 'files' || completion === 'nothing') return undefined;
  return completion === 'keys' ? quoted(`(${KEYS_COMMAND})`) : quoted(completion.join(' '));
}

/** fish does not count operands: it offers what any of them may be. */
function operandLines(command: Command): readonly string[] {
  const when = `-n '__fish_seen_subcommand_from ${command.name}'`;
  return command.arguments.flatMap(({ completes }) => {
    const offered = offer(completes);
    if (completes === 'files') return [`complete -c ramjet ${when} -F`];
    return offered === undefined ? [] : [`complete -c ramjet ${when} -a ${offered}`];
  });
}
