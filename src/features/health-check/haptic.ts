import { isIP } from 'node:net';
import { key, type Parsed, parsed, problem, type ValuesOf } from '../contract/key.ts';
import { type ReadContext, reader } from '../contract/reader.ts';
import { choice, integer } from '../values/basic.ts';
import { haproxyTime } from '../values/units.ts';
import type { AgentCheck, HealthCheck, HealthCheckPolicy } from './policy.ts';

/** `/path`, or `METHOD /path`; further parts of a request line are left to HAProxy. */
function checkRequest(text: string): Parsed<{ method: string; uri: string }> {
  const match = /^(?:([A-Z]{1,16}) +)?(\/[\x21-\x7e]{0,1023})$/.exec(text.trim());
  const uri = match?.[2];
  if (uri === undefined) return problem('is not a path, or a method and a path', 'Write "/healthz" or "HEAD /healthz".');
  return parsed({ method: match?.[1] ?? 'GET', uri });
}

function address(text: string): Parsed<string> {
  return isIP(text.trim()) === 0 ? problem('is not an address') : parsed(text.trim());
}

/** Sent as it is; without white space it is one word of the server line. */
function agentText(text: string): Parsed<string> {
  return /^[A-Za-z0-9._:/@,+*=~-]{1,200}$/.test(text.trim())
    ? parsed(text.trim())
    : problem('holds a character that can not be sent', 'Use letters, digits and ._:/@,+*=~-');
}

const common = { onInvalid: 'default', scope: 'backend', default: 'none' } as const;
const count = integer({ min: 1, max: 10_000 });
const port = integer({ min: 1, max: 65_535 });

const keys = {
  check: key({
    ...common,
    name: 'check',
    parse: choice(['on', 'off', 'true', 'false'], { ignoreCase: true }),
    value: 'on or off',
    default: 'off, on with any health-check key',
    summary: 'Whether HAProxy checks the endpoints itself.',
    difference: 'Without a health-check key endpoints are not checked, as Kubernetes already takes out pods that are not ready.',
  }),
  fall: key({
    ...common,
    name: 'health-check-fall',
    parse: count,
    value: 'whole number',
    default: '3',
    summary: 'Failed checks in a row that take an endpoint out.',
  }),
  interval: key({
    ...common,
    name: 'health-check-interval',
    parse: haproxyTime,
    value: 'time, such as 5s',
    default: '2s',
    summary: 'Pause between two checks.',
  }),
  port: key({
    ...common,
    name: 'health-check-port',
    parse: port,
    value: '1 to 65535',
    default: 'the endpoint’s',
    summary: 'Port that is checked.',
  }),
  rise: key({
    ...common,
    name: 'health-check-rise',
    parse: count,
    value: 'whole number',
    default: '2',
    summary: 'Good checks in a row that bring an endpoint back.',
  }),
  uri: key({
    ...common,
    name: 'health-check-uri',
    parse: checkRequest,
    value: 'path, or method and path',
    summary: 'Request that must be answered 2xx or 3xx; without it a connection is enough.',
  }),
  timeout: key({
    ...common,
    name: 'timeout-check',
    parse: haproxyTime,
    value: 'time, such as 5s',
    default: 'health-check-interval',
    summary: 'Longest wait for the answer to a check.',
  }),
  agentPort: key({
    ...common,
    name: 'agent-check-port',
    parse: port,
    value: '1 to 65535',
    default: 'none, no agent is asked',
    summary: 'Port of a program at the endpoint that says how much it can take.',
  }),
  agentAddress: key({
    ...common,
    name: 'agent-check-addr',
    parse: address,
    value: 'address',
    default: 'the endpoint’s',
    summary: 'Address of that program.',
  }),
  agentInterval: key({
    ...common,
    name: 'agent-check-interval',
    parse: haproxyTime,
    value: 'time, such as 5s',
    default: '2s',
    summary: 'Pause between two questions.',
  }),
  agentSend: key({
    ...common,
    name: 'agent-check-send',
    parse: agentText,
    value: 'text',
    summary: 'Text that is sent to that program.',
    difference: 'One word of letters, digits and ._:/@,+*=~-, without a line end.',
  }),
} as const;

type Values = ValuesOf<typeof keys>;

export const haptic = reader({
  dialect: 'haptic',
  keys,
  toPolicy(values, context): HealthCheckPolicy | undefined {
    const check = checkOf(values, context);
    const agent = agentOf(values, context);
    if (check === undefined && agent === undefined) return undefined;
    return { ...(check === undefined ? {} : { check }), ...(agent === undefined ? {} : { agent }) };
  },
});

function checkOf(values: Values, context: ReadContext): HealthCheck | undefined {
  const { fall, interval, port: checkPort, rise, uri, timeout } = values;
  const wanted = [fall, interval, checkPort, rise, uri].some((value) => value !== undefined);
  if (values.check === 'off' || values.check === 'false') {
    if (wanted)
      context.report(
        'AnnotationIgnored',
        'check',
        'The health-check keys have no effect with `check: off`.',
        'Remove check, or the health-check keys.',
      );
    return undefined;
  }
  if (!wanted && values.check === undefined) return undefined;
  return {
    ...(uri === undefined ? {} : { request: uri }),
    ...(interval === undefined ? {} : { interval }),
    ...(fall === undefined ? {} : { fall }),
    ...(rise === undefined ? {} : { rise }),
    ...(checkPort === undefined ? {} : { port: checkPort }),
    ...(timeout === undefined ? {} : { timeout }),
  };
}

function agentOf({ agentPort, agentAddress, agentInterval, agentSend }: Values, context: ReadContext): AgentCheck | undefined {
  if (agentPort === undefined) {
    for (const name of ['agentAddress', 'agentInterval', 'agentSend']) {
      if (context.given(name))
        context.report('AnnotationIgnored', name, 'This key has no effect without `agent-check-port`.', 'Set agent-check-port.');
    }
    return undefined;
  }
  return {
    port: agentPort,
    ...(agentAddress === undefined ? {} : { address: agentAddress }),
    ...(agentInterval === undefined ? {} : { interval: agentInterval }),
    ...(agentSend === undefined ? {} : { send: agentSend }),
  };
}
