import type { Io } from './io.ts';

/** What a shell offers for a value. */
export type Completion = 'files' | 'keys' | 'nothing' | readonly string[];

export interface OptionSpec {
  /** Without dashes. */
  readonly long: string;
  /** One letter. */
  readonly short?: string;
  /** What a value looks like; absent for an on/off option. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** For people; a command decides what absence means. */
  readonly default?: string;
  /** May be given several times. */
  readonly repeats?: true;
  /** An on/off option that is on unless told otherwise: `--no-NAME` exists too. */
  readonly negatable?: true;
  readonly summary: string;
  readonly completes?: Completion;
}

export interface ArgumentSpec {
  readonly name: string;
  readonly many?: true;
  readonly optional?: true;
  readonly completes: Completion;
}

/** One command, declared once: parsing, help, completion and the reference page read this. */
export interface Command {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** More paragraphs for the help of the command. */
  readonly description?: string;
  readonly examples: readonly { readonly says: string; readonly line: string }[];
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  /** Exit codes beside 0, for people. */
  readonly exits?: Readonly<Record<number, string>>;
  /** Fields of `--output json`, for the reference page: path and meaning. They are stable. */
  readonly json?: readonly (readonly [field: string, meaning: string])[];
  /** The exit code. */
  run(given: Given, io: Io): Promise<number>;
}

/** What was given on the command line, after parsing. */
export interface Given {
  readonly arguments: readonly string[];
  /** By long name; on/off options are `true` or `false`. */
  readonly options: Readonly<Record<string, unknown>>;
}

export function textOption(given: Given, long: string): string | undefined {
  const value = given.options[long];
  return typeof value === 'string' ? value : undefined;
}

export function flagOption(given: Given, long: string): boolean {
  return given.options[long] === true;
}

export function listOption(given: Given, long: string): readonly string[] {
  const value = given.options[long];
  return Array.isArray(value) ? value.map(String) : [];
}

/** The command line, or what it names, can not be used: exit code 2. */
export class UsageError extends Error {}

export const EXIT_USAGE = 2;
