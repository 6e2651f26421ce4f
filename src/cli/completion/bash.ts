import type { Command, Completion, OptionSpec } from '../command.ts';
import { KEYS_COMMAND, optionWords, single } from './words.ts';

/** Works with bash 3.2 and newer, and without the bash-completion package. */
export function bashCompletion(commands: readonly Command[]): string {
  return [
    '# bash completion for ramjet: source <(ramjet completion bash)',
    '_ramjet() {',
    '  local IFS=$\' \\t\\n\' cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}" valued="" operands=0 index',
    '  COMPREPLY=()',
    '  # bash takes --option=value apart.',
    '  if [ "$cur" = "=" ]; then cur=""; elif [ "$prev" = "=" ]; then prev="${COMP_WORDS[COMP_CWORD-2]}"; fi',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W ${single([...commands.map((command) => command.name), 'help', '--help'].join(' '))} -- "$cur"))`,
    '    return',
    '  fi',
    '  case "$command $prev" in',
    ...commands.flatMap((command) => command.options.flatMap((option) => valueCase(command, option))),
    '  esac',
    '  case "$command" in',
    `    help) [ "$COMP_CWORD" -eq 2 ] && COMPREPLY=($(compgen -W ${single(commands.map((command) => command.name).join(' '))} -- "$cur")); return ;;`,
    ...commands.map(
      (command) => `    ${command.name}) valued=${single(` ${command.options.filter(takesValue).flatMap(spellings).join(' ')} `)} ;;`,
    ),
    '    *) return ;;',
    '  esac',
    '  for ((index = 2; index < COMP_CWORD; index++)); do',
    '    case "${COMP_WORDS[index]}" in',
    '      -|[!-=]*) operands=$((operands + 1)) ;;',
    '      -*) case "$valued" in *" ${COMP_WORDS[index]} "*) index=$((index + 1)); [ "${COMP_WORDS[index]}" = "=" ] && index=$((index + 1)) ;; esac ;;',
    '    esac',
    '  done',
    '  case "$command$cur" in',
    ...commands.map(
      (command) => `    ${command.name}-*) COMPREPLY=($(compgen -W ${single(optionWords(command).join(' '))} -- "$cur")); return ;;`,
    ),
    '  esac',
    '  case "$command $operands" in',
    ...commands.flatMap(operandCases),
    '  esac',
    '}',
    'complete -F _ramjet ramjet',
    '',
  ].join('\n');
}

function takesValue(option: OptionSpec): boolean {
  return option.value !== undefined;
}

function spellings({ long, short }: OptionSpec): readonly string[] {
  return [`--${long}`, ...(short === undefined ? [] : [`-${short}`])];
}

function valueCase(command: Command, option: OptionSpec): readonly string[] {
  if (!takesValue(option)) return [];
  const patterns = spellings(option).map((spelling) => single(`${command.name} ${spelling}`));
  return [`    ${patterns.join('|')}) ${offer(option.choices ?? option.completes ?? 'nothing')} return ;;`];
}

/** The last operand takes all that follow when there may be many. */
function operandCases(command: Command): readonly string[] {
  return command.arguments.map(({ many, completes }, index) => {
    const pattern = many ? `${single(`${command.name} `)}*` : single(`${command.name} ${index}`);
    return `    ${pattern}) ${offer(completes)} ;;`;
  });
}

function offer(completion: Completion): string {
  if (completion === 'nothing') return 'COMPREPLY=();';
  if (completion === 'files') return 'compopt -o filenames 2>/dev/null; IFS=$\'\\n\'; COMPREPLY=($(compgen -f -- "$cur"));';
  if (completion === 'keys') return `COMPREPLY=($(compgen -W "$(${KEYS_COMMAND})" -- "$cur"));`;
  return `COMPREPLY=($(compgen -W ${single(completion.join(' '))} -- "$cur"));`;
}
