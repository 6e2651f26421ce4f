import { quote } from '../diagnostics/diagnostic.ts';
import { isAbsent } from './records.ts';
import { itemSlot, memberSlot, type ObjectScope, type Slot } from './scope.ts';
import type { Metadata, Service, ServicePort } from './types.ts';
import { describe, readList, readMapping, readPortNumber, readPortReference, readText } from './values.ts';

const TYPES: readonly Service['type'][] = ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName'];
const PROTOCOLS: readonly ServicePort['protocol'][] = ['TCP', 'UDP', 'SCTP'];

type RawMapping = Readonly<Record<string, unknown>>;

export function readService(scope: ObjectScope, raw: RawMapping, metadata: Metadata): Service | undefined {
  const specSlot = memberSlot(raw, 'spec', '');
  const spec = readMapping(scope, specSlot);
  if (!spec) {
    if (isAbsent(specSlot.value)) scope.report('InvalidObject', specSlot, 'The Service has no `spec`.');
    return undefined;
  }
  const type = readType(scope, memberSlot(spec, 'type', 'spec'));
  if (type === undefined) return undefined;
  const nameSlot = memberSlot(spec, 'externalName', 'spec');
  const externalName = readText(scope, nameSlot)?.toLowerCase();
  scope.mark(nameSlot);
  return {
    kind: 'Service',
    metadata,
    type,
    ...(externalName === undefined || externalName === '' ? {} : { externalName }),
    clusterIPs: readClusterIPs(scope, spec),
    ports: readServicePorts(scope, memberSlot(spec, 'ports', 'spec')),
    ...scope.position(),
  };
}

function readType(scope: ObjectScope, slot: Slot): Service['type'] | undefined {
  if (isAbsent(slot.value) || slot.value === '') return 'ClusterIP';
  const type = TYPES.find((candidate) => candidate === slot.value);
  if (type) return type;
  const shown = typeof slot.value === 'string' ? quote(slot.value) : describe(slot.value);
  scope.report('InvalidObject', slot, `\`spec.type\` is ${shown}, not one of ${TYPES.join(', ')}.`);
  return undefined;
}

/** `None` marks a headless Service, which has no address of its own. */
function readClusterIPs(scope: ObjectScope, spec: RawMapping): readonly string[] {
  const listSlot = memberSlot(spec, 'clusterIPs', 'spec');
  const slots = isAbsent(listSlot.value)
    ? [memberSlot(spec, 'clusterIP', 'spec')]
    : readList(scope, listSlot).map((_, index, list) => itemSlot(list, index, listSlot.field));
  const addresses = slots.map((slot) => readText(scope, slot)).filter((address) => address !== undefined);
  return addresses.filter((address) => address !== '' && address !== 'None');
}

function readServicePorts(scope: ObjectScope, listSlot: Slot): readonly ServicePort[] {
  const list = readList(scope, listSlot);
  const ports: ServicePort[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const slot = itemSlot(list, index, listSlot.field);
    scope.mark(slot);
    const port = readServicePort(scope, slot);
    if (port) ports.push(port);
  }
  return ports;
}

function readServicePort(scope: ObjectScope, slot: Slot): ServicePort | undefined {
  const raw = readMapping(scope, slot);
  const portSlot = memberSlot(raw ?? {}, 'port', slot.field);
  const port = readPortNumber(scope, portSlot);
  if (!raw || port === undefined) {
    if (isAbsent(slot.value) || (raw && isAbsent(portSlot.value)))
      scope.report('InvalidObject', slot, `\`${slot.field}\` has no \`port\`; it is left out.`);
    return undefined;
  }
  const targetSlot = memberSlot(raw, 'targetPort', slot.field);
  // Kubernetes writes and reads 0 and "" as "the same as port".
  const sameTarget = isAbsent(targetSlot.value) || targetSlot.value === 0 || targetSlot.value === '';
  const targetPort = sameTarget ? port : readPortReference(scope, targetSlot);
  const protocol = readProtocol(scope, memberSlot(raw, 'protocol', slot.field));
  if (targetPort === undefined || protocol === undefined) return undefined;
  const name = readText(scope, memberSlot(raw, 'name', slot.field));
  const appProtocol = readText(scope, memberSlot(raw, 'appProtocol', slot.field));
  return {
    ...(name === undefined || name === '' ? {} : { name }),
    port,
    targetPort,
    protocol,
    ...(appProtocol === undefined ? {} : { appProtocol }),
  };
}

/** Shared with EndpointSlices: TCP when absent, undefined after a complaint. */
export function readProtocol(scope: ObjectScope, slot: Slot): ServicePort['protocol'] | undefined {
  if (isAbsent(slot.value) || slot.value === '') return 'TCP';
  const text = readText(scope, slot);
  const protocol = PROTOCOLS.find((candidate) => candidate === text?.toUpperCase());
  if (text === undefined || protocol === text) return protocol;
  if (protocol) scope.report('ToleratedValue', slot, `\`${slot.field}\` is ${quote(text)}; it is taken as \`${protocol}\`.`);
  else scope.report('InvalidObject', slot, `\`${slot.field}\` is ${quote(text)}, not one of ${PROTOCOLS.join(', ')}.`);
  return protocol;
}
