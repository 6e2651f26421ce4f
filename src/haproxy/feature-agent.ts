import { hap, type Token, word } from './tokens.ts';

/**
 * A question that rules ask the agent. Static text like the rules themselves: what differs from route to
 * route is an argument, taken from the request or from a row.
 */
export interface AgentMessage {
  /** Also the name of its handler in the agent. `[a-z-]+` */
  readonly name: string;
  /** Sample expressions by argument name. One that can't be fetched arrives as null. */
  readonly args: readonly AgentArgument[];
  /** Milliseconds within which the handler answers; HAProxy waits a little longer before it gives up. */
  readonly deadline: number;
}

export interface AgentArgument {
  /** `[a-z_]+` */
  readonly name: string;
  readonly sample: Token;
}

/** One engine serves all messages, so that a worker keeps one set of connections to the agent. */
export const AGENT_ENGINE = word('ramjet');

/** Asks and waits. Whatever goes wrong, the variables of the answer are simply not there. */
export function askAgent(message: AgentMessage, condition: Token): Token {
  return hap`http-request send-spoe-group ${AGENT_ENGINE} ${word(message.name)} if ${condition}`;
}

/** A variable that the agent's answer sets, as a sample expression. */
export function agentVariable(name: string): Token {
  return hap`var(txn.${AGENT_ENGINE}.${word(name)})`;
}
