import { name, integer } from './arguments.ts';
import { lastLine, matching } from './answers.ts';
import { type Command, command } from './codec.ts';

/** All of these exist from 3.4 on; 3.2 answers `Unknown command`. */

export function addBackendCommand(backend: string, fromDefaults: string): Command {
  return command(['add', 'backend', name(backend), 'from', name(fromDefaults)], lastLine('New backend registered.'));
}

export function publishBackendCommand(backend: string): Command {
  return command(['publish', 'backend', name(backend)], lastLine('Backend published.'));
}

export function unpublishBackendCommand(backend: string): Command {
  return command(['unpublish', 'backend', name(backend)], lastLine('Backend unpublished.'));
}

export function waitBackendRemovableCommand(backend: string, waitMs: number): Command {
  const words = ['wait', `${integer(waitMs, 1, 600_000)}ms`, 'be-removable', name(backend)];
  return command(words, matching(/^(?:Done\.|Wait delay expired\.|Interrupted\.)/));
}

export function deleteBackendCommand(backend: string): Command {
  return command(['del', 'backend', name(backend)], lastLine('Backend deleted.'));
}

export function showBackendsCommand(): Command {
  return command(['show', 'backend'], matching(/^# name/), { alone: true });
}
