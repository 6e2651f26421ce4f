import type { RuntimeClient } from './client.ts';
import type { Command } from './codec.ts';
import { failure, firstFailure, type Reply, type Result, success } from './result.ts';

export async function one(client: RuntimeClient, command: Command): Promise<Reply> {
  const [reply] = await client.run([command]);
  return reply ?? failure('protocol', command.line, '');
}

/** Runs all and answers with the first failure. Later commands ran nevertheless. */
export async function all(client: RuntimeClient, commands: readonly Command[]): Promise<Result<void>> {
  return firstFailure(await client.run(commands)) ?? success(undefined);
}
