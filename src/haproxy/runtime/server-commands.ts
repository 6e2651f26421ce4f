import { isIPv4, isIPv6 } from 'node:net';
import { ArgumentError, integer, serverName, token, name } from './arguments.ts';
import { exactly, lastLine, matching, silence } from './answers.ts';
import { type Command, command } from './codec.ts';

export type ServerState = 'ready' | 'drain' | 'maint';

export interface ServerSpec {
  readonly backend: string;
  readonly name: string;
  /** An address, not a name: HAProxy takes a name without a word and never resolves it. */
  readonly address: string;
  readonly port: number;
  /** Words of a server line. `default-server` is not inherited, so repeat all of it. */
  readonly options: readonly string[];
}

/** Add, then enable: a new server starts in maintenance. Checks start by a command of their own. */
export function addServerCommands(spec: ServerSpec): readonly Command[] {
  const server = serverName(spec.backend, spec.name);
  const options = spec.options.map(token);
  const made = [command(['add', 'server', server, socketAddress(spec.address, spec.port), ...options], lastLine('New server registered.'))];
  if (options.includes('check')) made.push(command(['enable', 'health', server], silence));
  if (options.includes('agent-check')) made.push(command(['enable', 'agent', server], silence));
  // `disabled` is accepted and means: stay in maintenance.
  if (!options.includes('disabled')) made.push(command(['enable', 'server', server], silence));
  return made;
}

export function setServerWeightCommand(backend: string, server: string, weight: number): Command {
  return command(['set', 'server', serverName(backend, server), 'weight', integer(weight, 0, 256)], silence);
}

const ADDRESS_SET = /^(?:IP changed from '.*'|port changed from '.*'|nothing changed$|no need to change)/;

export function setServerAddressCommand(backend: string, server: string, address: string, port: number): Command {
  const words = ['set', 'server', serverName(backend, server), 'addr', ipAddress(address), 'port', integer(port, 1, 65_535)];
  return command(words, matching(ADDRESS_SET));
}

export function setServerStateCommand(backend: string, server: string, state: ServerState): Command {
  return command(['set', 'server', serverName(backend, server), 'state', state], silence);
}

const GONE = 'No such server.';

/** An absent server is fine for a removal. */
export function maintainForRemovalCommand(backend: string, server: string): Command {
  return command(['set', 'server', serverName(backend, server), 'state', 'maint'], exactly('', GONE));
}

/**
 * 3.2 says `Failed.` where 3.4 adds the reason, so only the deletion itself can tell what is wrong.
 * `Interrupted.`: `stats timeout`, 10 seconds by default, ended the wait first.
 */
const WAITED = matching(/^(?:Done\.|Wait delay expired\.|Interrupted\.|Failed\.)/);

export function stillWaiting(answer: string): boolean {
  return /^(?:Wait delay expired|Interrupted)\./.test(answer);
}

export function waitRemovableCommand(backend: string, server: string, waitMs: number): Command {
  const words = ['wait', `${integer(waitMs, 1, 600_000)}ms`, 'srv-removable', serverName(backend, server)];
  return command(words, WAITED);
}

const DELETED = lastLine('Server deleted.');
const BUSY = 'Server still has connections attached to it, cannot remove it.';

/** What the answer of a deletion means. */
export function removalOf(answer: string): 'removed' | 'absent' | 'busy' {
  if (answer === GONE) return 'absent';
  return answer === BUSY ? 'busy' : 'removed';
}

/** Still busy is an answer too, not a fault. */
export function deleteServerCommand(backend: string, server: string): Command {
  return command(['del', 'server', serverName(backend, server)], (answer) => DELETED(answer) || answer === GONE || answer === BUSY);
}

export function shutdownServerSessionsCommand(backend: string, server: string): Command {
  return command(['shutdown', 'sessions', 'server', serverName(backend, server)], silence);
}

export function showServersStateCommand(backend: string | undefined): Command {
  const words = ['show', 'servers', 'state', ...(backend === undefined ? [] : [name(backend)])];
  return command(words, matching(/^1\n# be_id /), { alone: true });
}

function ipAddress(address: string): string {
  if (isIPv4(address) || (isIPv6(address) && !address.includes('%'))) return address;
  throw new ArgumentError('not an IP address');
}

function socketAddress(address: string, port: number): string {
  const host = ipAddress(address);
  return `${isIPv6(host) ? `[${host}]` : host}:${integer(port, 1, 65_535)}`;
}
