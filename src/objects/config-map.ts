import { isDataKey } from './names.ts';
import { memberSlot, type ObjectScope } from './scope.ts';
import type { ConfigMap, Metadata } from './types.ts';
import { readTexts } from './values.ts';

export function readConfigMap(scope: ObjectScope, raw: Readonly<Record<string, unknown>>, metadata: Metadata): ConfigMap {
  return { kind: 'ConfigMap', metadata, data: readTexts(scope, memberSlot(raw, 'data', ''), isDataKey), ...scope.position() };
}
