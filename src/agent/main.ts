import { parseArgs } from 'node:util';
import { AGENT_MODULES } from '../features/handlers.generated.ts';
import type { AgentAnswer } from './protocol.ts';
import { parseCommand } from './protocol.ts';
import { Agent } from './run.ts';
import type { AgentEvent } from './server/events.ts';

/** The agent process: `agent --run-dir DIR`. Ends with its parent, on SIGTERM and on SIGINT. */
const { values } = parseArgs({ options: { 'run-dir': { type: 'string' } } });
const runDir = values['run-dir'];
if (runDir === undefined) {
  process.stderr.write('usage: agent --run-dir DIR\n');
  process.exit(2);
}

const LINES_PER_SECOND = 20;
let saidIn = 0;
let said = 0;

const agent = await Agent.start({ runDir, modules: AGENT_MODULES, report });

process.on('message', (message) => {
  const command = parseCommand(message);
  if (command === undefined) return;
  const { type, id } = command;
  if (type === 'ping') answer({ type: 'done', id });
  else
    agent.load().then(
      () => answer({ type: 'done', id }),
      (error: unknown) => answer({ type: 'failed', id, reason: reasonOf(error) }),
    );
});
// Without an IPC channel, for instance under another supervisor.
process.on('SIGHUP', () => void agent.load().catch((error: unknown) => say(`agent.json could not be read: ${reasonOf(error)}`)));
process.once('SIGTERM', end);
process.once('SIGINT', end);
process.once('disconnect', end);
answer({ type: 'started' });

function answer(message: AgentAnswer): void {
  if (process.connected) process.send?.(message);
}

function end(): void {
  void agent.stop().finally(() => process.exit(0));
}

function report(event: AgentEvent): void {
  switch (event.kind) {
    case 'handler-failed':
      say(`the handler of ${event.message} failed: ${reasonOf(event.error)}`);
      return;
    case 'ack-refused':
      say(`the answer to ${event.messages.join(', ')} could not be sent: ${event.error.detail}`);
      return;
    case 'protocol-error':
      say(`HAProxy said what SPOP does not allow: ${event.error.detail}`);
      return;
    case 'socket-error':
      say(`socket: ${event.error.message}`);
      return;
    case 'peer-disconnect':
      say(`HAProxy closed the connection: ${event.message}`);
      return;
  }
}

/** An attacker can cause many events; of each second's lines only the first few are written. */
function say(text: string): void {
  const second = Math.floor(performance.now() / 1_000);
  if (second !== saidIn) [saidIn, said] = [second, 0];
  said += 1;
  if (said <= LINES_PER_SECOND) process.stderr.write(`${text}\n`);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
