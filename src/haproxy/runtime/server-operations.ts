import type { RuntimeClient } from './client.ts';
import { guard } from './guard.ts';
import { failure, type Reply, type Result, success } from './result.ts';
import * as servers from './server-commands.ts';
import { parseServersState, type ServerState } from './show.ts';
import { all, one } from './single.ts';
import { waitAside } from './wait.ts';

/** `busy`: still has connections after the wait; it is in maintenance and stays there. `absent`: was gone already. */
export type Removal = 'removed' | 'busy' | 'absent';

export interface ServerOperations {
  addServer(backend: string, name: string, address: string, port: number, options: readonly string[]): Promise<Result<void>>;
  setServerWeight(backend: string, name: string, weight: number): Promise<Result<void>>;
  setServerAddress(backend: string, name: string, address: string, port: number): Promise<Result<void>>;
  setServerState(backend: string, name: string, state: servers.ServerState): Promise<Result<void>>;
  /** Takes it out of rotation, waits at most `waitMs` for its connections to end, deletes it. */
  removeServer(backend: string, name: string, waitMs: number): Promise<Result<Removal>>;
  /** Cuts what still runs on a server. */
  shutdownSessions(backend: string, name: string): Promise<Result<void>>;
  showServersState(backend?: string): Promise<Result<readonly ServerState[]>>;
}

export function serverOperations(client: RuntimeClient): ServerOperations {
  return {
    addServer: (backend, name, address, port, options) =>
      guard('add server', () => addServer(client, { backend, name, address, port, options })),
    setServerWeight: (backend, name, weight) =>
      guard('set server', () => all(client, [servers.setServerWeightCommand(backend, name, weight)])),
    setServerAddress: (backend, name, address, port) =>
      guard('set server', () => all(client, [servers.setServerAddressCommand(backend, name, address, port)])),
    setServerState: (backend, name, state) => guard('set server', () => all(client, [servers.setServerStateCommand(backend, name, state)])),
    removeServer: (backend, name, waitMs) => guard('del server', () => removeServer(client, backend, name, waitMs)),
    shutdownSessions: (backend, name) =>
      guard('shutdown sessions', () => all(client, [servers.shutdownServerSessionsCommand(backend, name)])),
    showServersState: (backend) =>
      guard('show servers state', async () => {
        const reply = await one(client, servers.showServersStateCommand(backend));
        return reply.ok ? success(parseServersState(reply.value)) : reply;
      }),
  };
}

/** All or nothing: a server that could be added and not enabled would be a trap for the next try. */
async function addServer(client: RuntimeClient, spec: servers.ServerSpec): Promise<Result<void>> {
  const [add, ...enable] = servers.addServerCommands(spec);
  if (add === undefined) return success(undefined);
  const added = await all(client, [add]);
  if (!added.ok) return added;
  const enabled = await all(client, enable);
  if (!enabled.ok) {
    await client.run([servers.maintainForRemovalCommand(spec.backend, spec.name), servers.deleteServerCommand(spec.backend, spec.name)]);
  }
  return enabled;
}

/**
 * A server without connections goes at once. Otherwise the wait runs beside the queue, so a slow
 * connection does not hold up every other change.
 */
async function removeServer(client: RuntimeClient, backend: string, name: string, waitMs: number): Promise<Result<Removal>> {
  const remove = servers.deleteServerCommand(backend, name);
  const [maintained, tried] = await client.run([servers.maintainForRemovalCommand(backend, name), remove]);
  const first = judge(maintained, tried);
  if (!first.ok || first.value !== 'busy' || waitMs === 0) return first;
  const waited = await waitAside(client, (ms) => servers.waitRemovableCommand(backend, name, ms), waitMs);
  if (!waited.ok) return waited;
  if (waited.value === 'busy') return success('busy');
  return judge(maintained, await one(client, remove));
}

function judge(maintained: Reply | undefined, removed: Reply | undefined): Result<Removal> {
  if (maintained === undefined || removed === undefined) return failure('protocol', 'del server', '');
  if (!maintained.ok) return maintained;
  return removed.ok ? success(servers.removalOf(removed.value)) : removed;
}
