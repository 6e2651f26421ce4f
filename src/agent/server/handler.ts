import { type Action, setVar } from '../wire/action.ts';
import { type SpopValue, TRUE_VALUE } from '../wire/value.ts';
import type { Clock } from './clock.ts';

export type { Clock } from './clock.ts';

/**
 * The arguments of one message by the names that its `spoe-message` section gives them. An argument without a name is
 * under the empty string; of two with the same name the last one counts. A sample that HAProxy could not fetch is
 * there with the type `null`. `wire/value.ts` has functions to get at text, numbers and booleans.
 */
export type AgentArgs = ReadonlyMap<string, SpopValue>;

/** What a handler may know about the question besides its arguments. */
export interface HandlerContext {
  /**
   * Aborted when the answer is no longer wanted: the deadline has passed, HAProxy closed the connection, or the server
   * stops. A handler that awaits anything must pass it on or watch it: the server stops counting a message then, and
   * what still runs is only visible as `abandoned` in the statistics.
   */
  readonly signal: AbortSignal;
  /** The server clock's time at which the ACK leaves without this handler. */
  readonly deadline: number;
  /** Identifies the engine of one HAProxy worker; absent when HAProxy sent none. */
  readonly engineId: string | undefined;
}

export type HandlerResult = readonly Action[] | Promise<readonly Action[]>;

/**
 * Answers one kind of message. The stream in HAProxy waits for the answer, always: to do work that nobody waits for,
 * start it and return at once. Returning the actions themselves and not a promise is the fast way.
 *
 * Fail closed by asking for permission, not for refusal: a rule `deny unless { var(txn.ramjet.allowed) -m bool }`
 * also holds when the agent is down, hung, slow or does not know the message; then no variable is set at all.
 */
export interface AgentHandler {
  /** The name of the `spoe-message` section. One handler for each name. */
  readonly message: string;
  handle(args: AgentArgs, context: HandlerContext): HandlerResult;
  /** Answered in place of a handler that threw, rejected or returned actions that cannot be sent. */
  readonly onFailure?: readonly Action[];
  /** Answered in place of a handler that missed its deadline. Default: nothing. */
  readonly onDeadline?: readonly Action[];
  /** Milliseconds; should be below `timeout processing` of the spoe-agent. Default: the server's. */
  readonly deadlineMs?: number;
}

/** The default of `onFailure`: rules ask `var(txn.<var-prefix>.failed) -m bool`. */
export const FAILED: readonly Action[] = [setVar('txn', 'failed', TRUE_VALUE)];

/** Actions of an ACK that asks for nothing. */
export const NO_ACTIONS: readonly Action[] = [];

/** What the controller told about one feature: values by the keys that the feature's rows refer to. Plain JSON. */
export type AgentEntries = ReadonlyMap<string, unknown>;

/** What a feature's `agent.ts` brings: handlers and the facts they decide by. */
export interface AgentModule {
  /** Name of its table in the agent's data: the `handler` of the entries that the feature's HAProxy part gives. */
  readonly name: string;
  /** Called once when the agent starts. */
  start(clock: Clock): AgentService;
}

/** A module at work. */
export interface AgentService {
  readonly handlers: readonly AgentHandler[];
  /**
   * Makes new facts ready and answers how to put them into effect, which must not fail. Throws if it can't read them:
   * then the facts before stay in effect, of every module.
   */
  prepare(entries: AgentEntries): () => void;
  /** Ends threads and sockets of its own. */
  stop?(): Promise<void>;
}
