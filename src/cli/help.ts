import type { ArgumentSpec, Command, OptionSpec } from './command.ts';

export const PRODUCT = 'Ramjet, the ingress controller that reads every dialect.';

const INDENT = '  ';

/** `ramjet --help`. */
export function programHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map((command) => command.name.length)) + 2;
  return [
    PRODUCT,
    '',
    'Commands:',
    ...commands.map((command) => `${INDENT}${command.name.padEnd(width)}${command.summary}`),
    '',
    'Usage:',
    `${INDENT}ramjet COMMAND [options]`,
    '',
    'Use "ramjet COMMAND --help" for more information about a command.',
    '',
  ].join('\n');
}

/** `ramjet COMMAND --help`. */
export function commandHelp(command: Command): string {
  return [
    command.summary,
    ...(command.description === undefined ? [] : ['', command.description]),
    '',
    'Examples:',
    ...command.examples.flatMap(({ says, line }, index) => [...(index === 0 ? [] : ['']), `${INDENT}# ${says}`, `${INDENT}${line}`]),
    ...(command.options.length === 0 ? [] : ['', 'Options:', ...optionLines(command.options)]),
    ...(command.exits === undefined ? [] : ['', 'Exit codes:', ...exitLines(command.exits)]),
    '',
    'Usage:',
    `${INDENT}${usageLine(command)}`,
    '',
  ].join('\n');
}

export function usageLine(command: Command): string {
  return ['ramjet', command.name, ...(command.options.length === 0 ? [] : ['[options]']), ...command.arguments.map(argumentText)].join(' ');
}

export function argumentText({ name, many, optional }: ArgumentSpec): string {
  const text = `${name}${many ? '...' : ''}`;
  return optional ? `[${text}]` : text;
}

/** `-o, --output FORMAT`. */
export function optionText({ long, short, value, negatable }: OptionSpec): string {
  const name = negatable ? `--[no-]${long}` : `--${long}`;
  return `${short === undefined ? '' : `-${short}, `}${name}${value === undefined ? '' : ` ${value}`}`;
}

/** The summary with choices and default. */
export function optionSummary({ summary, choices, default: fallback }: OptionSpec): string {
  return [
    summary,
    ...(choices === undefined ? [] : [`One of: ${choices.join(', ')}.`]),
    ...(fallback ? [`Default: ${fallback}.`] : []),
  ].join(' ');
}

function optionLines(options: readonly OptionSpec[]): readonly string[] {
  const texts = options.map((option) => (option.short === undefined ? `    ${optionText(option)}` : optionText(option)));
  const width = Math.max(...texts.map((text) => text.length)) + 2;
  return options.map((option, index) => `${INDENT}${(texts[index] ?? '').padEnd(width)}${optionSummary(option)}`);
}

export function exitLines(exits: Readonly<Record<number, string>>): readonly string[] {
  return Object.entries({ 0: 'Nothing is wrong.', ...exits }).map(([code, meaning]) => `${INDENT}${code}  ${meaning}`);
}
