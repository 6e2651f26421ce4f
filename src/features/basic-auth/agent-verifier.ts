import { createHmac, randomBytes } from 'node:crypto';
import type { Credentials } from './agent-credentials.ts';
import { VerdictMemory } from './agent-memory.ts';
import { HashPool } from './agent-pool.ts';
import { checkQuick, isQuick } from './hash/check.ts';
import { parseHash } from './hash/format.ts';

/** Users of one Secret: hashes by name. Never empty. */
export type Users = ReadonlyMap<string, string>;

const CAPACITY = 10_000;
const RIGHT_FOR = 600_000;
const WRONG_FOR = 60_000;

/**
 * Decides on credentials, remembering what it decided. The memory is keyed by a digest of user, password and
 * hash under a key that only this process has: it holds no password, and a new hash is a new question.
 */
export class Verifier {
  readonly #key = randomBytes(32);
  readonly #pool = new HashPool();
  readonly #right: VerdictMemory;
  /** Of its own, so that wrong passwords, of which anybody can send many, push no right one out. */
  readonly #wrong: VerdictMemory;
  readonly #pending = new Map<string, Promise<boolean>>();

  /** `now`: milliseconds that only grow. */
  constructor(now: () => number) {
    this.#right = new VerdictMemory({ capacity: CAPACITY, lifetime: RIGHT_FOR, now });
    this.#wrong = new VerdictMemory({ capacity: CAPACITY, lifetime: WRONG_FOR, now });
  }

  /** At once where the answer is known or cheap. Rejects where there can be none in time. */
  verify(users: Users, credentials: Credentials, signal: () => AbortSignal): boolean | Promise<boolean> {
    const { user, password } = credentials;
    const known = users.get(user);
    // An unknown user takes as long as a known one: some other user's hash is computed in vain.
    const hash = known ?? this.#decoy(users, user);
    const key = this.#digest(known === undefined ? 'unknown' : 'known', user, password, hash);
    if (this.#right.has(key)) return true;
    if (this.#wrong.has(key)) return false;
    const parsed = parseHash(hash);
    if (parsed.kind === 'refused') return false;
    if (isQuick(parsed)) return checkQuick(parsed, Buffer.from(password, 'latin1')) && known !== undefined;
    const pending = this.#pending.get(key) ?? this.#compute(key, { hash, password, exists: known !== undefined }, signal());
    return pending;
  }

  stop(): Promise<void> {
    return this.#pool.stop();
  }

  /** Several requests with the same credentials, such as those of one page, are one computation. */
  #compute(
    key: string,
    task: { readonly hash: string; readonly password: string; readonly exists: boolean },
    signal: AbortSignal,
  ): Promise<boolean> {
    const pending = this.#pool
      .check(task.hash, task.password, signal)
      .then((matches) => {
        const right = matches && task.exists;
        (right ? this.#right : this.#wrong).add(key);
        return right;
      })
      .finally(() => this.#pending.delete(key));
    this.#pending.set(key, pending);
    return pending;
  }

  /** The same for the same name, so that asking twice tells nothing. */
  #decoy(users: Users, user: string): string {
    const hashes = [...users.values()];
    return hashes[this.#mac('decoy', user).readUInt32BE(0) % hashes.length] ?? '';
  }

  #digest(...parts: readonly string[]): string {
    return this.#mac(...parts).toString('base64');
  }

  #mac(...parts: readonly string[]): Buffer {
    const hmac = createHmac('sha256', this.#key);
    for (const part of parts) hmac.update(`${part.length}:`).update(part, 'latin1');
    return hmac.digest();
  }
}
