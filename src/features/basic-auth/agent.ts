import type {
  AgentArgs,
  AgentEntries,
  AgentHandler,
  AgentModule,
  AgentService,
  Clock,
  HandlerContext,
} from '../../agent/server/handler.ts';
import { type Action, setVar } from '../../agent/wire/action.ts';
import { bytesOf, textValue } from '../../agent/wire/value.ts';
import { parseAuthorization } from './agent-credentials.ts';
import { PoolBusy } from './agent-pool.ts';
import { type Users, Verifier } from './agent-verifier.ts';
import { DEADLINE } from './limits.ts';

const ALLOWED: readonly Action[] = [setVar('txn', 'basic', textValue('allowed'))];
const DENIED: readonly Action[] = [setVar('txn', 'basic', textValue('denied'))];
/** Neither: the rules answer 503. */
const UNDECIDED: readonly Action[] = [];

/** Answers `basic-auth`: list and header in, `txn.ramjet.basic` = `allowed` or `denied` out. */
class BasicAuthService implements AgentService {
  readonly handlers: readonly AgentHandler[] = [
    {
      message: 'basic-auth',
      handle: (args, context) => this.#handle(args, context),
      deadlineMs: DEADLINE,
      onFailure: UNDECIDED,
      onDeadline: UNDECIDED,
    },
  ];
  readonly #verifier: Verifier;
  #lists: ReadonlyMap<string, Users> = new Map();
  /** The maps still name them for a moment, and an old worker of HAProxy for longer. */
  #before: ReadonlyMap<string, Users> = new Map();

  constructor(clock: Clock) {
    this.#verifier = new Verifier(() => clock.now());
  }

  prepare(entries: AgentEntries): () => void {
    const lists = new Map([...entries].map(([id, value]) => [id, parseUsers(value)]));
    return () => {
      this.#before = this.#lists;
      this.#lists = lists;
    };
  }

  stop(): Promise<void> {
    return this.#verifier.stop();
  }

  #handle(args: AgentArgs, context: HandlerContext): readonly Action[] | Promise<readonly Action[]> {
    const id = bytesOf(args.get('list')) ?? '';
    const users = this.#lists.get(id) ?? this.#before.get(id);
    if (users === undefined) return UNDECIDED;
    const credentials = parseAuthorization(bytesOf(args.get('authorization')) ?? '');
    if (credentials === undefined) return DENIED;
    const right = this.#verifier.verify(users, credentials, () => context.signal);
    if (typeof right === 'boolean') return right ? ALLOWED : DENIED;
    return right.then(
      (decided) => (decided ? ALLOWED : DENIED),
      (error: unknown) => {
        if (error instanceof PoolBusy) return UNDECIDED;
        throw error;
      },
    );
  }
}

/** `[[name, hash], …]`, as haproxy.ts writes it. */
function parseUsers(value: unknown): Users {
  if (!Array.isArray(value)) throw new Error('basic-auth: a list of users is not a list');
  const users = new Map(
    value.map((pair: unknown) => {
      if (!Array.isArray(pair) || typeof pair[0] !== 'string' || typeof pair[1] !== 'string')
        throw new Error('basic-auth: a user is not a name and a hash');
      return [pair[0], pair[1]] as const;
    }),
  );
  if (users.size === 0) throw new Error('basic-auth: a list without users');
  return users;
}

export const modules: readonly AgentModule[] = [{ name: 'basic-auth', start: (clock) => new BasicAuthService(clock) }];
