import { isIPv6 } from 'node:net';
import { readAddress, readPod, readSlicePorts } from './endpoint-slice.ts';
import { isRecord } from './records.ts';
import { itemSlot, memberSlot, type ObjectScope, type Slot } from './scope.ts';
import type { EndpointSlice, Metadata, SliceEndpoint } from './types.ts';
import { readList, readMapping } from './values.ts';

type Family = 'IPv4' | 'IPv6';

/**
 * Core Endpoints as slices, one for each subset and address family. The names have a colon, which no
 * real EndpointSlice can have, so that both may stand in one folder.
 */
export function readEndpointsObject(
  scope: ObjectScope,
  raw: Readonly<Record<string, unknown>>,
  metadata: Metadata,
): readonly EndpointSlice[] {
  const listSlot = memberSlot(raw, 'subsets', '');
  const list = readList(scope, listSlot);
  return list.flatMap((_, index) => readSubset(scope, itemSlot(list, index, listSlot.field), metadata, index));
}

function readSubset(scope: ObjectScope, slot: Slot, metadata: Metadata, index: number): readonly EndpointSlice[] {
  const raw = readMapping(scope, slot);
  if (!raw) return [];
  const ports = readSlicePorts(scope, memberSlot(raw, 'ports', slot.field));
  const byFamily: Readonly<Record<Family, SliceEndpoint[]>> = { IPv4: [], IPv6: [] };
  readAddresses(scope, memberSlot(raw, 'addresses', slot.field), true, byFamily);
  readAddresses(scope, memberSlot(raw, 'notReadyAddresses', slot.field), false, byFamily);
  return (['IPv4', 'IPv6'] as const)
    .filter((family) => byFamily[family].length > 0)
    .map((addressType) => ({
      kind: 'EndpointSlice',
      metadata: { ...metadata, name: `${metadata.name}:${index}:${addressType.toLowerCase()}` },
      service: metadata.name,
      addressType,
      ports,
      endpoints: byFamily[addressType],
      ...scope.position(),
    }));
}

function readAddresses(scope: ObjectScope, listSlot: Slot, ready: boolean, byFamily: Readonly<Record<Family, SliceEndpoint[]>>): void {
  const list = readList(scope, listSlot);
  for (let index = 0; index < list.length; index += 1) {
    const slot = itemSlot(list, index, listSlot.field);
    const raw = readMapping(scope, slot);
    if (!raw) continue;
    const family: Family = typeof raw['ip'] === 'string' && isIPv6(raw['ip']) ? 'IPv6' : 'IPv4';
    const address = readAddress(scope, memberSlot(raw, 'ip', slot.field), family);
    if (address === undefined) continue;
    const pod = isRecord(raw['targetRef']) ? readPod(scope, memberSlot(raw, 'targetRef', slot.field)) : undefined;
    byFamily[family].push({ addresses: [address], ready, serving: ready, terminating: false, ...(pod === undefined ? {} : { pod }) });
  }
}
