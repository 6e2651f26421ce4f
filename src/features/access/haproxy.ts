import type { RoutePart } from '../../haproxy/feature.ts';
import { clientAddressLines, type NetworkList, networkListId, networkListRows, networks, networkVerdict } from '../../haproxy/networks.ts';
import { rawRow, rowTable } from '../../haproxy/rows.ts';
import { hap } from '../../haproxy/tokens.ts';
import type { AccessPolicy } from './policy.ts';

/** Value: the name of the route's list. */
const table = rowTable('access', 'str', ['list']);

const access: RoutePart<'access'> = {
  level: 'route',
  feature: 'access',
  tables: [networks, table],
  /** A route's own lists count before its host's, those before the settings'. */
  policyOf: ({ policies }) =>
    policies.access === undefined || policies.access.fromSettings ? (policies['host-access'] ?? policies.access) : policies.access,
  rows: (policy, route) => [rawRow(table, route.id, networkListId(listOf(policy)))],
  shared: (policy) => [networkListRows(listOf(policy))],
  rules: ({ inUse, lookup, file }) => [
    ...clientAddressLines(inUse).map((line) => ({ phase: 'access', line }) as const),
    { phase: 'access', line: hap`http-request set-var(txn.access) ${lookup(table)} if ${inUse}` },
    // Anything but a permission refuses, also a list that is not there.
    {
      phase: 'access',
      line: hap`http-request return status 403 if ${inUse} !{ ${networkVerdict(hap`var(txn.access)`, file(networks))} -m str a }`,
    },
  ],
};

function listOf({ allow, deny }: AccessPolicy): NetworkList {
  return { allow, deny, otherwise: allow.length > 0 ? 'd' : 'a' };
}

export const parts = [access] as const;
