/**
 * What controller and agent say to each other over the IPC channel of `child_process`. Every command has a
 * number and is answered once with the same number, in whatever order; `started` comes by itself.
 */
export type AgentCommand =
  /** Read `agent.json` again. Answered when all later questions are decided by it. */
  | { readonly type: 'load'; readonly id: number }
  /** Are you there? */
  | { readonly type: 'ping'; readonly id: number };

export type AgentAnswer =
  /** The data on disk at the start is in effect and the socket is open. */
  | { readonly type: 'started' }
  | { readonly type: 'done'; readonly id: number }
  /** The data could not be used; what was in effect before still is. */
  | { readonly type: 'failed'; readonly id: number; readonly reason: string };

export function parseCommand(message: unknown): AgentCommand | undefined {
  const record = fieldsOf(message);
  const { type, id } = record;
  if (typeof id !== 'number') return undefined;
  return type === 'load' || type === 'ping' ? { type, id } : undefined;
}

export function parseAnswer(message: unknown): AgentAnswer | undefined {
  const { type, id, reason } = fieldsOf(message);
  if (type === 'started') return { type };
  if (typeof id !== 'number') return undefined;
  if (type === 'done') return { type, id };
  return type === 'failed' ? { type, id, reason: String(reason) } : undefined;
}

function fieldsOf(message: unknown): { readonly type?: unknown; readonly id?: unknown; readonly reason?: unknown } {
  return message !== null && typeof message === 'object' ? message : {};
}
