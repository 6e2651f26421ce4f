import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { compareSync } from 'bcryptjs';
import { type Bcrypt, checkPassword } from './hash/check.ts';
import { parseHash } from './hash/format.ts';
import { isWorkerTask, type WorkerAnswer } from './agent-task.ts';

/** A thread that checks one password at a time. */
const bcrypt = await findBcrypt();

try {
  // On Linux this is the priority of this thread alone: many wrong passwords must not slow the proxy down.
  setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  // Not allowed here; then at equal priority.
}

parentPort?.on('message', (task: unknown) => {
  if (!isWorkerTask(task)) return;
  const hash = parseHash(task.hash);
  const right = hash.kind !== 'refused' && checkPassword(hash, Buffer.from(task.password, 'latin1'), bcrypt);
  const answer: WorkerAnswer = { id: task.id, right };
  parentPort?.postMessage(answer);
});

/** The native implementation where it is installed; else one in JavaScript, two to three times as slow. */
async function findBcrypt(): Promise<Bcrypt> {
  try {
    const { verifySync } = await import('@node-rs/bcrypt');
    return (password, hash) => verifySync(password, hash);
  } catch {
    return (password, hash) => {
      const text = Buffer.from(password).toString('utf8');
      // It takes text only; a password that is not UTF-8 can't be given to it.
      return Buffer.from(text, 'utf8').equals(password) && compareSync(text, hash);
    };
  }
}
