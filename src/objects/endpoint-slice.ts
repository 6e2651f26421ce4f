import { isIPv4, isIPv6 } from 'node:net';
import { quote } from '../diagnostics/diagnostic.ts';
import { isAbsent, newRecord } from './records.ts';
import { itemSlot, memberSlot, type ObjectScope, type Slot } from './scope.ts';
import { readProtocol } from './service.ts';
import type { EndpointSlice, Metadata, SliceEndpoint, SlicePort } from './types.ts';
import { readBoolean, readList, readMapping, readPortNumber, readText } from './values.ts';

export type AddressType = EndpointSlice['addressType'];

const ADDRESS_TYPES: readonly AddressType[] = ['IPv4', 'IPv6', 'FQDN'];
const SERVICE_LABEL = 'kubernetes.io/service-name';
const ZONE = 'topology.kubernetes.io/zone';

type RawMapping = Readonly<Record<string, unknown>>;

export function readEndpointSlice(scope: ObjectScope, raw: RawMapping, metadata: Metadata): EndpointSlice | undefined {
  const service = metadata.labels[SERVICE_LABEL];
  if (service === undefined || service === '') {
    // Legal in Kubernetes: somebody else's slice.
    scope.report(
      'UnknownKind',
      undefined,
      `The EndpointSlice has no label \`${SERVICE_LABEL}\`, so no Service uses it; it was passed over.`,
    );
    return undefined;
  }
  const addressType = readAddressType(scope, memberSlot(raw, 'addressType', ''), raw);
  if (addressType === undefined) return undefined;
  return {
    kind: 'EndpointSlice',
    metadata,
    service,
    addressType,
    ports: readSlicePorts(scope, memberSlot(raw, 'ports', '')),
    endpoints: readEndpoints(scope, memberSlot(raw, 'endpoints', ''), addressType),
    ...scope.position(),
  };
}

function readAddressType(scope: ObjectScope, slot: Slot, raw: RawMapping): AddressType | undefined {
  if (isAbsent(slot.value) || slot.value === '') {
    const guessed = JSON.stringify(firstAddress(raw))?.includes(':') ? 'IPv6' : 'IPv4';
    scope.report('ToleratedValue', slot, `\`addressType\` is missing, which Kubernetes refuses; it is taken as ${guessed}.`);
    return guessed;
  }
  const text = readText(scope, slot);
  // `IP` was the name of IPv4 in the first beta.
  const type = text === 'IP' ? 'IPv4' : ADDRESS_TYPES.find((candidate) => candidate === text);
  if (text !== undefined && type === undefined)
    scope.report('InvalidObject', slot, `\`addressType\` is ${quote(text)}, not one of ${ADDRESS_TYPES.join(', ')}.`);
  return type;
}

function firstAddress(raw: RawMapping): string {
  const endpoints: unknown = raw['endpoints'];
  const first: unknown = Array.isArray(endpoints) ? endpoints[0] : undefined;
  const addresses: unknown = typeof first === 'object' && first !== null && 'addresses' in first ? first.addresses : undefined;
  const address: unknown = Array.isArray(addresses) ? addresses[0] : undefined;
  return typeof address === 'string' ? address : '';
}

export function readSlicePorts(scope: ObjectScope, listSlot: Slot): readonly SlicePort[] {
  const list = readList(scope, listSlot);
  const ports: SlicePort[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const port = readSlicePort(scope, itemSlot(list, index, listSlot.field));
    if (port) ports.push(port);
  }
  return ports;
}

function readSlicePort(scope: ObjectScope, slot: Slot): SlicePort | undefined {
  const raw = readMapping(scope, slot) ?? newRecord<unknown>();
  const portSlot = memberSlot(raw, 'port', slot.field);
  const port = readPortNumber(scope, portSlot);
  if (port === undefined) {
    if (isAbsent(portSlot.value)) scope.report('InvalidObject', slot, `\`${slot.field}\` has no \`port\`; it is left out.`);
    return undefined;
  }
  const protocol = readProtocol(scope, memberSlot(raw, 'protocol', slot.field));
  if (protocol === undefined) return undefined;
  const name = readText(scope, memberSlot(raw, 'name', slot.field));
  const appProtocol = readText(scope, memberSlot(raw, 'appProtocol', slot.field));
  return { name: name ?? '', port, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) };
}

function readEndpoints(scope: ObjectScope, listSlot: Slot, type: AddressType): readonly SliceEndpoint[] {
  const list = readList(scope, listSlot);
  const endpoints: SliceEndpoint[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const endpoint = readEndpoint(scope, itemSlot(list, index, listSlot.field), type);
    if (endpoint) endpoints.push(endpoint);
  }
  return endpoints;
}

function readEndpoint(scope: ObjectScope, slot: Slot, type: AddressType): SliceEndpoint | undefined {
  const raw = readMapping(scope, slot);
  const listSlot = memberSlot(raw ?? newRecord<unknown>(), 'addresses', slot.field);
  if (isAbsent(slot.value) || (raw && isEmpty(listSlot.value)))
    scope.report('InvalidEndpoint', slot, `\`${slot.field}\` has no address; it was left out.`);
  if (!raw) return undefined;
  const addresses = readList(scope, listSlot)
    .map((_, index, list) => readAddress(scope, itemSlot(list, index, listSlot.field), type))
    .filter((address) => address !== undefined);
  if (addresses.length === 0) return undefined;
  const zone = readZone(scope, raw, slot.field);
  const pod = readPod(scope, memberSlot(raw, 'targetRef', slot.field));
  return {
    addresses,
    ...readConditions(scope, memberSlot(raw, 'conditions', slot.field)),
    ...(zone === undefined ? {} : { zone }),
    ...(pod === undefined ? {} : { pod }),
  };
}

function isEmpty(value: unknown): boolean {
  return isAbsent(value) || (Array.isArray(value) && value.length === 0);
}

/** Undefined after a complaint. */
export function readAddress(scope: ObjectScope, slot: Slot, type: AddressType): string | undefined {
  if (isAbsent(slot.value)) scope.report('InvalidEndpoint', slot, `\`${slot.field}\` is missing; the endpoint was left out.`);
  const address = readText(scope, slot)?.toLowerCase();
  if (address === undefined) return undefined;
  if (fits(address, type)) return address;
  scope.report('InvalidEndpoint', slot, `${quote(address)} is not an ${type} address; it was left out.`);
  return undefined;
}

function fits(address: string, type: AddressType): boolean {
  switch (type) {
    case 'IPv4':
      return isIPv4(address);
    case 'IPv6':
      // A scope id (`%eth0`) has no meaning outside the node that wrote it.
      return isIPv6(address) && !address.includes('%');
    case 'FQDN':
      return address.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\.?$/.test(address);
  }
}

/** Nothing said means ready; `serving` is `ready` that outlives termination. */
function readConditions(scope: ObjectScope, slot: Slot): Pick<SliceEndpoint, 'ready' | 'serving' | 'terminating'> {
  const raw = readMapping(scope, slot) ?? newRecord<unknown>();
  const ready = readBoolean(scope, memberSlot(raw, 'ready', slot.field)) ?? true;
  const serving = readBoolean(scope, memberSlot(raw, 'serving', slot.field)) ?? ready;
  const terminating = readBoolean(scope, memberSlot(raw, 'terminating', slot.field)) ?? false;
  return { ready, serving, terminating };
}

/** `zone` in v1, a topology label in v1beta1. */
function readZone(scope: ObjectScope, raw: RawMapping, field: string): string | undefined {
  const topology = readMapping(scope, memberSlot(raw, 'topology', field)) ?? newRecord<unknown>();
  return readText(scope, memberSlot(raw, 'zone', field)) ?? readText(scope, memberSlot(topology, ZONE, `${field}.topology`));
}

export function readPod(scope: ObjectScope, slot: Slot): string | undefined {
  const raw = readMapping(scope, slot);
  if (!raw || raw['kind'] !== 'Pod') return undefined;
  return readText(scope, memberSlot(raw, 'name', slot.field));
}
