import { key } from '../contract/key.ts';
import { reader } from '../contract/reader.ts';
import { haproxyTime } from '../values/units.ts';
import type { ConnectTimeoutsPolicy, TimeoutsPolicy } from './policy.ts';

const common = { parse: haproxyTime, onInvalid: 'default', value: 'time, such as 30s' } as const;

export const haptic = reader({
  dialect: 'haptic',
  keys: {
    server: key({
      ...common,
      name: 'timeout-server',
      scope: 'ingress',
      default: '60s',
      summary: 'Longest pause between two pieces of the answer.',
    }),
    tunnel: key({
      ...common,
      name: 'timeout-tunnel',
      scope: 'ingress',
      default: '1h',
      summary: 'Longest pause in a WebSocket or other tunnel.',
    }),
  },
  toPolicy({ server, tunnel }): TimeoutsPolicy | undefined {
    if (server === undefined && tunnel === undefined) return undefined;
    return { ...(server === undefined ? {} : { server }), ...(tunnel === undefined ? {} : { tunnel }) };
  },
});

export const hapticConnect = reader({
  dialect: 'haptic',
  keys: {
    connect: key({
      ...common,
      name: 'timeout-connect',
      scope: 'backend',
      default: '5s',
      summary: 'Longest wait for a connection to an endpoint.',
    }),
    queue: key({
      ...common,
      name: 'timeout-queue',
      scope: 'backend',
      default: 'timeout-connect',
      summary: 'Longest wait for a free slot of an endpoint.',
    }),
  },
  toPolicy({ connect, queue }): ConnectTimeoutsPolicy | undefined {
    if (connect === undefined && queue === undefined) return undefined;
    return { ...(connect === undefined ? {} : { connect }), ...(queue === undefined ? {} : { queue }) };
  },
});
