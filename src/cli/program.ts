import { Command as Parser, CommanderError, Option } from 'commander';
import { type Command, EXIT_USAGE, type OptionSpec, UsageError } from './command.ts';
import { COMMANDS } from './commands/index.ts';
import { ownVersion } from './commands/package.ts';
import { argumentText, commandHelp, programHelp } from './help.ts';
import type { Io } from './io.ts';

/** Runs one command line; the answer is the exit code. Nothing a user can give makes it throw. */
export async function runCli(args: readonly string[], io: Io, commands: readonly Command[] = COMMANDS): Promise<number> {
  let code = 0;
  const program = parserOf(commands, io, (exit) => {
    code = exit;
  });
  try {
    if (args.length === 0) io.stdout.write(programHelp(commands));
    else await program.parseAsync(withoutValues(args, commands), { from: 'user' });
    return code;
  } catch (error) {
    return exitOf(error, io);
  }
}

function exitOf(error: unknown, io: Io): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  const text = error instanceof Error ? error.message : String(error);
  io.stderr.write(`error: ${text}\n`);
  if (error instanceof UsageError) return EXIT_USAGE;
  if (io.env['RAMJET_DEBUG'] && error instanceof Error) io.stderr.write(`${error.stack ?? ''}\n`);
  return 1;
}

function parserOf(commands: readonly Command[], io: Io, exit: (code: number) => void): Parser {
  const program = new Parser('ramjet');
  const settings = (parser: Parser, hint: string) =>
    parser
      .exitOverride()
      .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
      .showHelpAfterError(`See '${hint} --help' for usage.`)
      .helpOption('-h, --help', 'help');
  settings(program, 'ramjet').configureHelp({ formatHelp: () => programHelp(commands) });
  program.version(ownVersion(io), '-v, --version').helpCommand('help [command]');
  for (const command of commands) {
    const parser = settings(program.command(command.name), `ramjet ${command.name}`).configureHelp({
      formatHelp: () => commandHelp(command),
    });
    for (const argument of command.arguments) {
      const text = argumentText(argument).replaceAll(/[[\]]/g, '');
      parser.argument(argument.optional ? `[${text}]` : `<${text}>`);
    }
    for (const option of command.options) addOption(parser, option);
    parser.action(async () => exit(await command.run({ arguments: parser.args, options: byLongName(parser, command.options) }, io)));
  }
  return program;
}

function addOption(parser: Parser, spec: OptionSpec): void {
  const flags = `${spec.short === undefined ? '' : `-${spec.short}, `}--${spec.long}${spec.value === undefined ? '' : ' <value>'}`;
  const option = new Option(flags);
  if (spec.choices !== undefined) option.choices(spec.choices);
  if (spec.repeats) option.argParser((value: string, previous: readonly string[] | undefined) => [...(previous ?? []), value]);
  parser.addOption(option);
  if (spec.negatable) parser.addOption(new Option(`--no-${spec.long}`));
}

/** The parser names options in camel case; the table names them as they are typed. */
function byLongName(parser: Parser, options: readonly OptionSpec[]): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = parser.opts();
  return Object.fromEntries(
    options.flatMap(({ long }) => {
      const value = values[long.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())];
      return value === undefined ? [] : [[long, value]];
    }),
  );
}

/** `--strict=false` as other programs of this field have it; the parser knows `--strict` and, for some, `--no-strict`. */
function withoutValues(args: readonly string[], commands: readonly Command[]): readonly string[] {
  const options = commands.find((command) => command.name === args[0])?.options ?? [];
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return args.flatMap((arg, index) => {
    const [, long, text = ''] = /^--([^=]+)=(.*)$/s.exec(arg) ?? [];
    const option = options.find((one) => one.long === long);
    if (index > end || option === undefined || option.value !== undefined) return [arg];
    if (/^(true|1|on|yes)$/.test(text)) return [`--${option.long}`];
    if (!/^(false|0|off|no)$/.test(text)) throw new UsageError(`--${option.long}: ${JSON.stringify(text)} is neither true nor false`);
    return option.negatable ? [`--no-${option.long}`] : [];
  });
}
