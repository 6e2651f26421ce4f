import type { Rule, Section } from '../feature.ts';
import { AGENT_ENGINE, type AgentMessage } from '../feature-agent.ts';
import { hap, milliseconds, word, words } from '../tokens.ts';
import type { PlanSettings } from './settings.ts';

/** File in the run directory that the filter line names. */
export const SPOE_FILE = 'spoe.conf';

/** Everything HAProxy needs in order to ask the agent; nothing while no feature in use has a question. */
export interface AgentSections {
  /** The `filter` line of the frontend. */
  readonly rules: readonly Rule[];
  /** The agent's backend with its defaults. */
  readonly sections: readonly Section[];
  /** Sections of the SPOE configuration file. */
  readonly spoe: readonly Section[];
}

const NOTHING: AgentSections = { rules: [], sections: [], spoe: [] };

/** The agent answers by its own deadline; HAProxy waits so much longer, in milliseconds, before it answers for it. */
const MARGIN = 1_000;

export function agentSections(settings: PlanSettings, messages: readonly AgentMessage[]): AgentSections {
  if (messages.length === 0) return NOTHING;
  const longest = Math.max(...messages.map((message) => message.deadline)) + MARGIN;
  const filter = hap`filter spoe engine ${AGENT_ENGINE} config ${word(`${settings.runDir}/${SPOE_FILE}`)}`;
  return {
    rules: [{ phase: 'frontend', line: filter }],
    sections: backendSections(settings, longest),
    spoe: [spoeAgent(messages, longest), ...messages.flatMap(spoeMessage)],
  };
}

/**
 * A hung agent is found by the health check, not by the processing timeout, which must bear the slowest
 * answer: at most a second passes until it is down, and requests that wait for it go on without an answer.
 */
function backendSections(settings: PlanSettings, longest: number): readonly Section[] {
  return [
    {
      head: hap`defaults agent_base`,
      lines: [
        hap`mode spop`,
        hap`timeout connect 1s`,
        hap`timeout server ${milliseconds(longest + MARGIN)}`,
        hap`timeout check 500ms`,
        // A socket that refuses now refuses a second later too; the client should not wait for that.
        hap`retries 0`,
      ],
    },
    {
      head: hap`backend agent from agent_base`,
      lines: [
        hap`option spop-check`,
        hap`server agent unix@${word(`${settings.runDir}/agent.sock`)} check inter 500ms fall 1 rise 1 on-marked-down shutdown-sessions`,
      ],
    },
  ];
}

function spoeAgent(messages: readonly AgentMessage[], longest: number): Section {
  return {
    head: hap`spoe-agent ${AGENT_ENGINE}`,
    lines: [
      hap`groups ${words(messages.map((message) => word(message.name)))}`,
      hap`option var-prefix ${AGENT_ENGINE}`,
      hap`option set-on-error err`,
      hap`option dontlog-normal`,
      hap`timeout processing ${milliseconds(longest)}`,
      hap`use-backend agent`,
    ],
  };
}

/** Groups are what rules send; each holds one message. */
function spoeMessage(message: AgentMessage): readonly Section[] {
  const name = word(message.name);
  const args = words(message.args.map((arg) => hap`${word(arg.name)}=${arg.sample}`));
  return [
    { head: hap`spoe-message ${name}`, lines: message.args.length === 0 ? [] : [hap`args ${args}`] },
    { head: hap`spoe-group ${name}`, lines: [hap`messages ${name}`] },
  ];
}
