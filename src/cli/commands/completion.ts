import { type Command, UsageError } from '../command.ts';
import { bashCompletion } from '../completion/bash.ts';
import { fishCompletion } from '../completion/fish.ts';
import { zshCompletion } from '../completion/zsh.ts';

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const satisfies Record<
  string,
  (commands: readonly Command[]) => string
>;

/** Completes `others` and itself. */
export function completionOf(others: readonly Command[]): Command {
  const completion: Command = {
    name: 'completion',
    summary: 'Print a script that completes ramjet in a shell.',
    examples: [
      { says: 'In this bash', line: 'source <(ramjet completion bash)' },
      { says: 'In every zsh', line: 'ramjet completion zsh > "${fpath[1]}/_ramjet"' },
      { says: 'In every fish', line: 'ramjet completion fish > ~/.config/fish/completions/ramjet.fish' },
    ],
    arguments: [{ name: 'SHELL', completes: Object.keys(SHELLS) }],
    options: [],
    exits: { 2: 'The command line can not be used.' },
    run(given, io) {
      const [shell = ''] = given.arguments;
      const script = new Map(Object.entries(SHELLS)).get(shell);
      if (script === undefined)
        throw new UsageError(`there is completion for ${Object.keys(SHELLS).join(', ')}; not for ${JSON.stringify(shell)}`);
      io.stdout.write(script([...others, completion]));
      return Promise.resolve(0);
    },
  };
  return completion;
}
