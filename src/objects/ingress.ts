import { quote } from '../diagnostics/diagnostic.ts';
import { noteSchema, readBackend, type IngressSchema } from './ingress-backend.ts';
import { isAbsent } from './records.ts';
import { itemSlot, memberSlot, type ObjectScope, type Slot } from './scope.ts';
import type { Ingress, IngressBackend, IngressPath, IngressRule, IngressTls, Metadata, PathType } from './types.ts';
import { describe, readList, readMapping, readName, readText } from './values.ts';

const PATH_TYPES: readonly PathType[] = ['Exact', 'Prefix', 'ImplementationSpecific'];

type RawMapping = Readonly<Record<string, unknown>>;

export function readIngress(scope: ObjectScope, raw: RawMapping, metadata: Metadata, schema: IngressSchema): Ingress | undefined {
  const specSlot = memberSlot(raw, 'spec', '');
  const spec = readMapping(scope, specSlot);
  if (!spec) {
    if (isAbsent(specSlot.value)) scope.report('InvalidObject', specSlot, 'The Ingress has no `spec`.');
    return undefined;
  }
  const classSlot = memberSlot(spec, 'ingressClassName', 'spec');
  const ingressClassName = readText(scope, classSlot);
  scope.mark(classSlot);
  const defaultBackend = readDefaultBackend(scope, spec, schema);
  return {
    kind: 'Ingress',
    metadata,
    spec: {
      ...(ingressClassName === undefined || ingressClassName === '' ? {} : { ingressClassName }),
      ...(defaultBackend ? { defaultBackend } : {}),
      rules: readPlaced(scope, memberSlot(spec, 'rules', 'spec'), (slot) => readRule(scope, slot, schema)),
      tls: readPlaced(scope, memberSlot(spec, 'tls', 'spec'), (slot) => readTls(scope, slot)),
    },
    ...scope.position(),
  };
}

/** As `readItems`, for items that later stages name by their place. */
function readPlaced<T extends object>(
  scope: ObjectScope,
  listSlot: Slot,
  read: (slot: Slot) => T | undefined,
): readonly (T & { readonly index?: number })[] {
  const list = readItems(scope, listSlot, (slot) => {
    const item = read(slot);
    return item && { item, index: Number(slot.key) };
  });
  return list.map(({ item, index }, place) => (index === place ? item : { ...item, index }));
}

/** The good items of a list; each bad one has complained for itself. */
function readItems<T>(scope: ObjectScope, listSlot: Slot, read: (slot: Slot) => T | undefined): readonly T[] {
  const list = readList(scope, listSlot);
  const items: T[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const slot = itemSlot(list, index, listSlot.field);
    scope.mark(slot);
    const item = read(slot);
    if (item !== undefined) items.push(item);
  }
  return items;
}

function readDefaultBackend(scope: ObjectScope, spec: RawMapping, schema: IngressSchema): IngressBackend | undefined {
  const current = memberSlot(spec, 'defaultBackend', 'spec');
  const old = memberSlot(spec, 'backend', 'spec');
  const slot = isAbsent(current.value) ? old : current;
  if (isAbsent(slot.value)) return undefined;
  noteSchema(scope, slot, schema, slot === old ? 'v1beta1' : 'v1');
  scope.mark({ ...slot, field: 'spec.defaultBackend' });
  return readBackend(scope, slot, schema);
}

function readRule(scope: ObjectScope, slot: Slot, schema: IngressSchema): IngressRule | undefined {
  const raw = readMapping(scope, slot);
  if (!raw) {
    if (isAbsent(slot.value)) scope.report('InvalidObject', slot, `\`${slot.field}\` is empty; the rule is left out.`);
    return undefined;
  }
  const hostSlot = memberSlot(raw, 'host', slot.field);
  const host = readHost(scope, hostSlot);
  scope.mark(hostSlot);
  // A rule whose host can not be read must not become a rule for any host.
  if (host === undefined && !isAbsent(hostSlot.value)) return undefined;
  const http = readMapping(scope, memberSlot(raw, 'http', slot.field));
  const paths = http ? readPlaced(scope, memberSlot(http, 'paths', `${slot.field}.http`), (path) => readPath(scope, path, schema)) : [];
  return { ...(host === undefined || host === '' ? {} : { host }), paths };
}

function readHost(scope: ObjectScope, slot: Slot): string | undefined {
  const text = readText(scope, slot);
  const lower = text?.toLowerCase();
  if (text !== undefined && lower !== text)
    scope.report(
      'ToleratedValue',
      slot,
      `${quote(text)} has upper case letters, which Kubernetes refuses in a host; its lower case form is used.`,
    );
  return lower;
}

function readPath(scope: ObjectScope, slot: Slot, schema: IngressSchema): IngressPath | undefined {
  const raw = readMapping(scope, slot);
  if (!raw) {
    if (isAbsent(slot.value)) scope.report('InvalidObject', slot, `\`${slot.field}\` is empty; the path is left out.`);
    return undefined;
  }
  const pathSlot = memberSlot(raw, 'path', slot.field);
  const path = readText(scope, pathSlot);
  if (path === undefined && !isAbsent(pathSlot.value)) return undefined;
  const pathType = readPathType(scope, memberSlot(raw, 'pathType', slot.field), schema);
  const backend = readBackend(scope, memberSlot(raw, 'backend', slot.field), schema);
  if (pathType === undefined || backend === undefined) return undefined;
  return { path: path ?? '', pathType, backend };
}

function readPathType(scope: ObjectScope, slot: Slot, schema: IngressSchema): PathType | undefined {
  const { value } = slot;
  if (isAbsent(value) || value === '') {
    if (schema === 'v1')
      scope.reportOnce(
        'ToleratedValue',
        slot,
        `\`${slot.field}\` is missing, which Kubernetes refuses; it is taken as \`ImplementationSpecific\`.`,
      );
    return 'ImplementationSpecific';
  }
  const exact = PATH_TYPES.find((type) => type === value);
  if (exact) return exact;
  const similar = typeof value === 'string' ? PATH_TYPES.find((type) => type.toLowerCase() === value.trim().toLowerCase()) : undefined;
  const shown = typeof value === 'string' ? quote(value) : describe(value);
  if (similar) scope.report('ToleratedValue', slot, `\`${slot.field}\` is ${shown}; it is taken as \`${similar}\`.`);
  else
    scope.report(
      'InvalidObject',
      slot,
      `\`${slot.field}\` is ${shown}, not one of Exact, Prefix and ImplementationSpecific; the path is left out.`,
    );
  return similar;
}

function readTls(scope: ObjectScope, slot: Slot): IngressTls | undefined {
  const raw = readMapping(scope, slot);
  if (!raw) {
    if (isAbsent(slot.value)) scope.report('InvalidObject', slot, `\`${slot.field}\` is empty; it is left out.`);
    return undefined;
  }
  const hosts = readHosts(scope, memberSlot(raw, 'hosts', slot.field));
  const secretSlot = memberSlot(raw, 'secretName', slot.field);
  const secretName = readName(scope, secretSlot);
  scope.mark(secretSlot);
  return { hosts, ...(secretName === undefined ? {} : { secretName }) };
}

/** `hosts: shop.example.com` without the list is a common slip with one possible meaning. */
function readHosts(scope: ObjectScope, listSlot: Slot): readonly string[] {
  if (typeof listSlot.value === 'string') {
    scope.report('ToleratedValue', listSlot, `\`${listSlot.field}\` must be a list; its one host is used.`);
    return [listSlot.value.toLowerCase()];
  }
  return readItems(scope, listSlot, (slot) => readHost(scope, slot));
}
