import { key } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import { seconds } from '../values/units.ts';
import type { ConnectTimeoutsPolicy, TimeoutsPolicy } from './policy.ts';

const read = key({
  name: 'proxy-read-timeout',
  parse: seconds,
  onInvalid: 'default',
  scope: 'ingress',
  value: 'seconds',
  default: '60',
  summary: 'Longest pause between two pieces of the answer; also of a WebSocket.',
});

const send = key({
  name: 'proxy-send-timeout',
  parse: seconds,
  onInvalid: 'default',
  scope: 'ingress',
  value: 'seconds',
  default: '60',
  summary: 'Longest pause between two pieces of the request on their way to the endpoint.',
  difference: 'HAProxy has one timeout for both directions; the longer of read and send counts.',
});

const connect = key({
  name: 'proxy-connect-timeout',
  parse: seconds,
  onInvalid: 'default',
  scope: 'backend',
  value: 'seconds',
  default: '5',
  summary: 'Longest wait for a connection to an endpoint.',
});

/** nginx bounds a tunnel by the same two timeouts; the longer direction counts. */
export const nginx = reader({
  dialect: 'nginx',
  keys: { read, send },
  toPolicy({ read, send }, { settings }): TimeoutsPolicy | undefined {
    if (read === undefined && send === undefined) return undefined;
    const longest = Math.max(read ?? settings.timeouts.server, send ?? settings.timeouts.server);
    return { server: longest, tunnel: longest };
  },
});

export const nginxConnect = reader({
  dialect: 'nginx',
  keys: { connect },
  toPolicy({ connect }): ConnectTimeoutsPolicy | undefined {
    return connect === undefined ? undefined : { connect };
  },
});
