import { isAbsent, isRecord } from './records.ts';
import { memberSlot, type ObjectScope, type Slot } from './scope.ts';
import type { IngressBackend } from './types.ts';
import { isPortNumber, readMapping, readName, readPortNumber, readPortReference, readText } from './values.ts';

/** Which of the two shapes the apiVersion promises; files in the wild mix them. */
export type IngressSchema = 'v1' | 'v1beta1';

type RawMapping = Readonly<Record<string, unknown>>;

/** Undefined after a complaint. */
export function readBackend(scope: ObjectScope, slot: Slot, schema: IngressSchema): IngressBackend | undefined {
  const raw = readMapping(scope, slot);
  if (!raw) {
    if (isAbsent(slot.value)) scope.report('InvalidObject', slot, `\`${slot.field}\` is missing; a path needs a backend.`);
    return undefined;
  }
  if (!isAbsent(raw['service'])) {
    noteSchema(scope, memberSlot(raw, 'service', slot.field), schema, 'v1');
    return readV1Service(scope, memberSlot(raw, 'service', slot.field));
  }
  if (!isAbsent(raw['serviceName']) || !isAbsent(raw['servicePort'])) {
    noteSchema(scope, memberSlot(raw, 'serviceName', slot.field), schema, 'v1beta1');
    return readFlatService(scope, raw, slot);
  }
  if (!isAbsent(raw['resource'])) return readResource(scope, memberSlot(raw, 'resource', slot.field));
  scope.report('InvalidObject', slot, `\`${slot.field}\` names no Service.`);
  return undefined;
}

export function noteSchema(scope: ObjectScope, slot: Slot, promised: IngressSchema, found: IngressSchema): void {
  if (promised === found) return;
  const message = `\`${slot.field}\` belongs to the ${found} Ingress, the object says ${promised}; it was understood, a Kubernetes API server would refuse it.`;
  scope.reportOnce('MixedSchema', slot, message);
}

function readV1Service(scope: ObjectScope, slot: Slot): IngressBackend | undefined {
  const raw = readMapping(scope, slot);
  if (!raw) return undefined;
  const name = readServiceName(scope, memberSlot(raw, 'name', slot.field));
  const port = readV1Port(scope, memberSlot(raw, 'port', slot.field));
  return name === undefined || port === undefined ? undefined : { service: { name, port } };
}

function readV1Port(scope: ObjectScope, slot: Slot): string | number | undefined {
  const { value } = slot;
  if (typeof value === 'string' || typeof value === 'number') {
    scope.report('ToleratedValue', slot, `\`${slot.field}\` wants \`number\` or \`name\` below it; the bare value is understood.`);
    return readPortReference(scope, slot);
  }
  const raw = readMapping(scope, slot);
  if (raw && !isAbsent(raw['number'])) return readNumberedPort(scope, memberSlot(raw, 'number', slot.field));
  if (raw && !isAbsent(raw['name']) && raw['name'] !== '') return readNamedPort(scope, memberSlot(raw, 'name', slot.field));
  if (raw || isAbsent(value)) scope.report('InvalidObject', slot, `\`${slot.field}\` gives neither a number nor a name.`);
  return undefined;
}

/** `number: http` is a name in the wrong place. */
function readNumberedPort(scope: ObjectScope, slot: Slot): string | number | undefined {
  if (typeof slot.value !== 'string' || /^[0-9]+$/.test(slot.value)) return readPortNumber(scope, slot);
  const port = readPortReference(scope, slot);
  if (port !== undefined) scope.report('ToleratedValue', slot, `\`${slot.field}\` holds a port name; it is used as \`name\`.`);
  return port;
}

/** `name: 80` is a number in the wrong place; `name: "80"` can not be a name either, a name has a letter. */
function readNamedPort(scope: ObjectScope, slot: Slot): string | number | undefined {
  if (isPortNumber(slot.value)) {
    scope.report('ToleratedValue', slot, `\`${slot.field}\` holds a port number; it is used as \`number\`.`);
    return slot.value;
  }
  return readPortReference(scope, slot);
}

function readFlatService(scope: ObjectScope, raw: RawMapping, slot: Slot): IngressBackend | undefined {
  const name = readServiceName(scope, memberSlot(raw, 'serviceName', slot.field));
  const portSlot = memberSlot(raw, 'servicePort', slot.field);
  // The v1 port below the old name: `servicePort: {number: 80}`.
  const port = isRecord(portSlot.value) ? readV1Port(scope, portSlot) : readPortReference(scope, portSlot);
  if (isAbsent(portSlot.value)) scope.report('InvalidObject', portSlot, `\`${portSlot.field}\` is missing.`);
  return name === undefined || port === undefined ? undefined : { service: { name, port } };
}

function readServiceName(scope: ObjectScope, slot: Slot): string | undefined {
  if (isAbsent(slot.value) || slot.value === '') scope.report('InvalidObject', slot, `\`${slot.field}\` is missing.`);
  return readName(scope, slot);
}

function readResource(scope: ObjectScope, slot: Slot): IngressBackend | undefined {
  const raw = readMapping(scope, slot);
  if (!raw) return undefined;
  const kind = readText(scope, memberSlot(raw, 'kind', slot.field));
  const name = readText(scope, memberSlot(raw, 'name', slot.field));
  return { resource: { kind: kind ?? '', name: name ?? '' } };
}
