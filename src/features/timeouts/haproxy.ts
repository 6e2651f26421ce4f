import type { BackendPart, RoutePart } from '../../haproxy/feature.ts';
import { hasField, plainField, row, rowTable } from '../../haproxy/rows.ts';
import { hap, milliseconds } from '../../haproxy/tokens.ts';

const table = rowTable('timeouts', 'str', ['server', 'tunnel']);

/** `set-timeout` exists on the backend side only, so the rules stand in the shared defaults of all backends. */
const timeouts: RoutePart<'timeouts'> = {
  level: 'route',
  feature: 'timeouts',
  tables: [table],
  rows: (policy, route) => [row(table, route.id, { server: policy.server ?? '', tunnel: policy.tunnel ?? '' })],
  rules: ({ inUse, lookup }) => [
    { phase: 'backend', line: hap`http-request set-var(txn.timeouts) ${lookup(table)} if ${inUse}` },
    {
      phase: 'backend',
      line: hap`http-request set-timeout server ${plainField(table, 'server')} if ${inUse} ${hasField(table, 'server')}`,
    },
    {
      phase: 'backend',
      line: hap`http-request set-timeout tunnel ${plainField(table, 'tunnel')} if ${inUse} ${hasField(table, 'tunnel')}`,
    },
  ],
};

const connectTimeouts: BackendPart<'connect-timeouts'> = {
  level: 'backend',
  feature: 'connect-timeouts',
  profile: (policy) => [
    ...(policy.connect === undefined ? [] : [hap`timeout connect ${milliseconds(policy.connect)}`]),
    ...(policy.queue === undefined ? [] : [hap`timeout queue ${milliseconds(policy.queue)}`]),
  ],
};

export const parts = [timeouts, connectTimeouts] as const;
