import * as backends from './backend-commands.ts';
import type { RuntimeClient } from './client.ts';
import { guard } from './guard.ts';
import { type Result, success } from './result.ts';
import { all, one } from './single.ts';
import { waitAside } from './wait.ts';

/** From 3.4 on; 3.2 refuses each of them (`Unknown command`). */
export interface BackendOperations {
  addBackend(name: string, fromDefaults: string): Promise<Result<void>>;
  publishBackend(name: string): Promise<Result<void>>;
  unpublishBackend(name: string): Promise<Result<void>>;
  /** Its servers must be gone. Unpublishes first. */
  removeBackend(name: string, waitMs: number): Promise<Result<'removed' | 'busy'>>;
  showBackends(): Promise<Result<readonly string[]>>;
}

export function backendOperations(client: RuntimeClient): BackendOperations {
  return {
    addBackend: (name, fromDefaults) => guard('add backend', () => all(client, [backends.addBackendCommand(name, fromDefaults)])),
    publishBackend: (name) => guard('publish backend', () => all(client, [backends.publishBackendCommand(name)])),
    unpublishBackend: (name) => guard('unpublish backend', () => all(client, [backends.unpublishBackendCommand(name)])),
    removeBackend: (name, waitMs) => guard('del backend', () => removeBackend(client, name, waitMs)),
    showBackends: () =>
      guard('show backend', async () => {
        const reply = await one(client, backends.showBackendsCommand());
        return reply.ok ? success(reply.value.split('\n').slice(1)) : reply;
      }),
  };
}

async function removeBackend(client: RuntimeClient, name: string, waitMs: number): Promise<Result<'removed' | 'busy'>> {
  const unpublished = await one(client, backends.unpublishBackendCommand(name));
  if (!unpublished.ok) return unpublished;
  const waited = await waitAside(client, (ms) => backends.waitBackendRemovableCommand(name, ms), waitMs);
  if (!waited.ok) return waited;
  if (waited.value === 'busy') return success('busy');
  const deleted = await one(client, backends.deleteBackendCommand(name));
  return deleted.ok ? success('removed') : deleted;
}
