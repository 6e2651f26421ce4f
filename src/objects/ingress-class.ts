import { isAbsent } from './records.ts';
import { memberSlot, type ObjectScope } from './scope.ts';
import type { IngressClass, Metadata } from './types.ts';
import { readMapping, readText } from './values.ts';

const DEFAULT_CLASS = 'ingressclass.kubernetes.io/is-default-class';

export function readIngressClass(scope: ObjectScope, raw: Readonly<Record<string, unknown>>, metadata: Metadata): IngressClass | undefined {
  const spec = readMapping(scope, memberSlot(raw, 'spec', ''));
  const slot = memberSlot(spec ?? raw, 'controller', 'spec');
  const controller = spec ? readText(scope, slot) : undefined;
  if (controller === undefined || controller === '') {
    if (!spec || isAbsent(slot.value) || slot.value === '')
      scope.report('InvalidObject', slot, '`spec.controller` is missing; nobody can claim the class.');
    return undefined;
  }
  scope.mark(slot);
  return { kind: 'IngressClass', metadata, controller, isDefault: metadata.annotations[DEFAULT_CLASS] === 'true', ...scope.position() };
}
