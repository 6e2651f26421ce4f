import { lstat, unlink } from 'node:fs/promises';
import { connect } from 'node:net';

/**
 * Removes the socket file that a server left behind when it was killed, and only such a one: if somebody accepts
 * connections there, it stays. Returns whether it is gone.
 */
export async function removeStaleSocket(path: string): Promise<boolean> {
  // Any other file refuses connections with the same code as an abandoned socket.
  if (!(await lstat(path)).isSocket()) return false;
  if ((await connectCode(path)) !== 'ECONNREFUSED') return false;
  await unlink(path);
  return true;
}

/** The error code of a connection attempt; nothing when it was accepted. */
function connectCode(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
  });
}
