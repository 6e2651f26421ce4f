import type { Command, Completion, OptionSpec } from '../command.ts';
import { KEYS_COMMAND, single } from './words.ts';

export function zshCompletion(commands: readonly Command[]): string {
  return [
    '#compdef ramjet',
    '# zsh completion for ramjet: source <(ramjet completion zsh), or the file _ramjet in a folder of $fpath',
    '_ramjet_keys() {',
    `  compadd -- \${(f)"$(${KEYS_COMMAND})"}`,
    '}',
    '_ramjet() {',
    '  local -a commands',
    '  commands=(',
    ...commands.map((command) => `    ${single(`${command.name}:${escaped(command.summary)}`)}`),
    "    'help:Show the help of a command.'",
    '  )',
    '  if (( CURRENT == 2 )); then',
    "    _describe 'command' commands",
    '    return',
    '  fi',
    '  local command=$words[2]',
    '  shift words',
    '  (( CURRENT-- ))',
    '  case $command in',
    ...commands.flatMap((command) => [`    ${command.name})`, `      _arguments -s ${specs(command).map(single).join(' ')}`, '      ;;']),
    `    help) compadd -- ${commands.map((command) => command.name).join(' ')} ;;`,
    '  esac',
    '}',
    'if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _ramjet "$@"; else compdef _ramjet ramjet; fi',
    '',
  ].join('\n');
}

/** In the specifications of `_arguments` and `_describe` these have a meaning. */
function escaped(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, (char) => `\\${char}`);
}

function specs(command: Command): readonly string[] {
  return [
    ...command.options.flatMap(optionSpecs),
    '--help[Show help.]',
    ...command.arguments.map(
      ({ name, many, optional, completes }) => `${many ? '*' : ''}:${optional && !many ? ':' : ''}${escaped(name)}:${action(completes)}`,
    ),
  ];
}

function optionSpecs({ long, short, value, choices, repeats, negatable, summary, completes }: OptionSpec): readonly string[] {
  const tail = `[${escaped(summary)}]${value === undefined ? '' : `:${escaped(value)}:${action(choices ?? completes ?? 'nothing')}`}`;
  const prefix = repeats ? '*' : '';
  const assign = value === undefined ? '' : '=';
  return [
    `${prefix}--${long}${assign}${tail}`,
    ...(negatable ? [`--no-${long}${tail}`] : []),
    ...(short === undefined ? [] : [`${prefix}-${short}${value === undefined ? '' : '+'}${tail}`]),
  ];
}

function action(completion: Completion): string {
  if (completion === 'files') return '_files';
  if (completion === 'nothing') return ' ';
  if (completion === 'keys') return '_ramjet_keys';
  return `(${completion.join(' ')})`;
}
