import type { BackendPart } from '../../haproxy/feature.ts';
import { hap, milliseconds, string, type Token, word } from '../../haproxy/tokens.ts';
import type { AgentCheck, HealthCheck } from './policy.ts';

const healthCheck: BackendPart<'health-check'> = {
  level: 'backend',
  feature: 'health-check',
  profile: ({ check }) => [
    ...(check?.request === undefined ? [] : [hap`option httpchk ${word(check.request.method)} ${string(check.request.uri)}`]),
    ...(check?.timeout === undefined ? [] : [hap`timeout check ${milliseconds(check.timeout)}`]),
  ],
  server: ({ check, agent }) => [...(check === undefined ? [] : checkOptions(check)), ...(agent === undefined ? [] : agentOptions(agent))],
};

/** One word each: the Runtime API takes options by the word. */
function checkOptions({ interval, fall, rise, port }: HealthCheck): readonly Token[] {
  return [
    hap`check`,
    ...(interval === undefined ? [] : [hap`inter`, milliseconds(interval)]),
    ...(fall === undefined ? [] : [hap`fall`, hap`${fall}`]),
    ...(rise === undefined ? [] : [hap`rise`, hap`${rise}`]),
    ...(port === undefined ? [] : [hap`port`, hap`${port}`]),
  ];
}

function agentOptions({ port, address, interval, send }: AgentCheck): readonly Token[] {
  return [
    hap`agent-check`,
    hap`agent-port`,
    hap`${port}`,
    ...(address === undefined ? [] : [hap`agent-addr`, word(address)]),
    ...(interval === undefined ? [] : [hap`agent-inter`, milliseconds(interval)]),
    ...(send === undefined ? [] : [hap`agent-send`, word(send)]),
  ];
}

export const parts = [healthCheck] as const;
