import { createRuntimeCommands, type RuntimeCommands } from '../runtime/commands.ts';
import type { RuntimeClient } from '../runtime/client.ts';
import type { Command } from '../runtime/codec.ts';
import { addMapEntryCommand, delMapEntryCommand, setMapEntryCommand } from '../runtime/map-commands.ts';
import { firstFailure, type Result, success } from '../runtime/result.ts';
import { addServerCommands, setServerAddressCommand, setServerStateCommand } from '../runtime/server-commands.ts';
import type { PlanServer } from '../plan/plan.ts';
import type { Step } from './diff.ts';

/** How long one removal may wait for connections to end before it is left for later, in milliseconds. */
const REMOVAL_WAIT = 200;

/** A server or backend that still had connections: it gets nothing new and is removed at a later visit. */
export type Leftover = { readonly backend: string; readonly server?: string };

export interface Applied {
  readonly commands: number;
  readonly leftovers: readonly Leftover[];
}

/**
 * Carries steps out in their order, neighbours of one kind in one batch. Stops at the first fault:
 * nobody knows then what runs, so the caller reloads from disk.
 */
export async function applySteps(client: RuntimeClient, runDir: string, steps: readonly Step[]): Promise<Result<Applied>> {
  const commands = createRuntimeCommands(client);
  const leftovers: Leftover[] = [];
  const busy = new Set<string>();
  let count = 0;
  for (const group of groups(steps)) {
    count += group.length;
    const batch = group.flatMap((step) => batchable(step, runDir) ?? []);
    if (batch.length > 0) {
      const failed = firstFailure(await client.run(batch));
      if (failed) return failed;
      continue;
    }
    const results = await Promise.all(group.map((step) => single(step, commands, runDir, busy)));
    for (const result of results) {
      if (!result.ok) return result;
      if (result.value) leftovers.push(result.value);
    }
  }
  return success({ commands: count, leftovers });
}

/** Neighbours that may travel together: commands of one batch, or removals that wait side by side. */
function groups(steps: readonly Step[]): readonly (readonly Step[])[] {
  const result: Step[][] = [];
  for (const step of steps) {
    const last = result.at(-1);
    const first = last?.[0];
    if (last && first && kindOf(first) === kindOf(step) && kindOf(step) !== 'alone' && last.length < 500) last.push(step);
    else result.push([step]);
  }
  return result;
}

function kindOf(step: Step): 'batch' | 'remove-server' | 'remove-backend' | 'alone' {
  switch (step.op) {
    case 'add-server':
    case 'move-server':
    case 'set-server-state':
    case 'set-rows':
    case 'delete-rows':
      return 'batch';
    case 'remove-server':
    case 'remove-backend':
      return step.op;
    case 'add-backend':
    case 'replace-map':
    case 'store-certificate':
    case 'list-certificate':
    case 'unlist-certificate':
    case 'delete-certificate':
      return 'alone';
  }
}

function batchable(step: Step, runDir: string): readonly Command[] | undefined {
  switch (step.op) {
    case 'add-server':
      return addServer(step.backend, step.server);
    case 'move-server': {
      const { host, port } = splitAddress(step.address);
      return [setServerAddressCommand(step.backend, step.name, host, port)];
    }
    case 'set-server-state':
      return [setServerStateCommand(step.backend, step.name, step.state)];
    case 'set-rows': {
      const file = mapPath(runDir, step.map);
      return [
        ...step.add.map(([key, value]) => addMapEntryCommand(file, key, value)),
        ...step.set.map(([key, value]) => setMapEntryCommand(file, key, value)),
      ];
    }
    case 'delete-rows':
      return step.keys.map((key) => delMapEntryCommand(mapPath(runDir, step.map), key));
    default:
      return undefined;
  }
}

function addServer(backend: string, server: PlanServer): readonly Command[] {
  const { host, port } = splitAddress(server.address);
  // An option is one argument or several; the Runtime API takes them one by one.
  const options = server.options.flatMap((option) => option.split(' '));
  const commands = addServerCommands({ backend, name: server.name, address: host, port, options });
  return server.draining ? [...commands, setServerStateCommand(backend, server.name, 'drain')] : commands;
}

function splitAddress(address: string): { readonly host: string; readonly port: number } {
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon).replaceAll(/[[\]]/g, ''), port: Number(address.slice(colon + 1)) };
}

function mapPath(runDir: string, name: string): string {
  return `${runDir}/maps/${name}.map`;
}

async function single(step: Step, commands: RuntimeCommands, runDir: string, busy: Set<string>): Promise<Result<Leftover | undefined>> {
  const list = `${runDir}/certs/list`;
  switch (step.op) {
    case 'add-backend': {
      const added = await commands.addBackend(step.name, step.profile);
      return added.ok ? commands.publishBackend(step.name).then(nothing) : added;
    }
    case 'replace-map':
      return commands
        .replaceMap(
          mapPath(runDir, step.map.name),
          [...step.map.entries].map(([key, value]) => ({ key, value })),
        )
        .then(nothing);
    case 'store-certificate':
      return commands.upsertCertificate(`${runDir}/certs/${step.certificate.name}`, step.certificate.pem.reveal()).then(nothing);
    case 'list-certificate':
      return commands
        .addCrtListLine(list, { certificate: `${runDir}/certs/${step.certificate.name}`, options: [], names: step.certificate.names })
        .then(nothing);
    case 'unlist-certificate':
      return commands.removeCrtListLine(list, { certificate: `${runDir}/certs/${step.name}`, names: step.names }).then(nothing);
    case 'delete-certificate':
      return commands.deleteCertificate(`${runDir}/certs/${step.name}`).then(nothing);
    case 'remove-server': {
      const removed = await commands.removeServer(step.backend, step.name, REMOVAL_WAIT);
      if (!removed.ok) return removed;
      if (removed.value !== 'busy') return success(undefined);
      busy.add(step.backend);
      return success({ backend: step.backend, server: step.name });
    }
    case 'remove-backend': {
      if (busy.has(step.name)) return success({ backend: step.name });
      const removed = await commands.removeBackend(step.name, REMOVAL_WAIT);
      if (!removed.ok) return removed;
      return success(removed.value === 'busy' ? { backend: step.name } : undefined);
    }
    default:
      return success(undefined);
  }
}

function nothing(result: Result<unknown>): Result<undefined> {
  return result.ok ? success(undefined) : result;
}
