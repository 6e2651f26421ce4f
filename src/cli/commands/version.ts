import { type Command, type Given, textOption } from '../command.ts';
import type { Io } from '../io.ts';
import { json } from '../output/text.ts';
import { findHaproxy, HaproxyMissing } from './haproxy.ts';
import { ownVersion } from './package.ts';

export const version: Command = {
  name: 'version',
  summary: 'Print the versions of Ramjet, of the HAProxy it finds, and of Node.',
  examples: [{ says: 'Which versions are at work', line: 'ramjet version' }],
  arguments: [],
  options: [
    { long: 'haproxy', value: 'PATH', summary: 'The HAProxy to look at.', completes: 'files' },
    { long: 'output', short: 'o', value: 'FORMAT', choices: ['text', 'json'], default: 'text', summary: 'How to print.' },
  ],
  exits: { 2: 'The command line can not be used.' },
  json: [
    ['ramjet, node', 'versions'],
    ['haproxy', '`{version, path}`; null if none is found'],
  ],
  async run(given: Given, io: Io): Promise<number> {
    const haproxy = await found(textOption(given, 'haproxy'), io);
    const versions = {
      ramjet: ownVersion(io),
      node: process.versions.node,
      haproxy: typeof haproxy === 'string' ? null : { version: haproxy.full, path: haproxy.path },
    };
    if (textOption(given, 'output') === 'json') io.stdout.write(json(versions));
    else
      io.stdout.write(
        `ramjet ${versions.ramjet}\nnode ${versions.node}\nhaproxy ${typeof haproxy === 'string' ? haproxy : `${haproxy.full} (${haproxy.path})`}\n`,
      );
    return 0;
  },
};

async function found(named: string | undefined, io: Io) {
  try {
    return (await findHaproxy(named, io)) ?? 'not found; `ramjet serve` says how to get one';
  } catch (error) {
    if (error instanceof HaproxyMissing) return error.message.split('\n')[0] ?? 'not found';
    throw error;
  }
}
