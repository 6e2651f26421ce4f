import { isDataKey } from './names.ts';
import { isAbsent, isRecord } from './records.ts';
import { keyedSlot, memberSlot, type ObjectScope, type Slot } from './scope.ts';
import type { KubeSecret, Metadata } from './types.ts';
import { readMapping, readText, scalarText } from './values.ts';

/** Complaints here never quote a value. */
export function readSecret(scope: ObjectScope, raw: Readonly<Record<string, unknown>>, metadata: Metadata): KubeSecret {
  const data = new Map<string, Uint8Array>();
  readEntries(scope, memberSlot(raw, 'data', ''), data, decodeBase64);
  // As in Kubernetes, stringData wins over data.
  readEntries(scope, memberSlot(raw, 'stringData', ''), data, encodeText);
  const type = readText(scope, memberSlot(raw, 'type', ''));
  return { kind: 'Secret', metadata, type: type === undefined || type === '' ? 'Opaque' : type, data, ...scope.position() };
}

type Decode = (scope: ObjectScope, entry: Slot) => Uint8Array | undefined;

function readEntries(scope: ObjectScope, slot: Slot, data: Map<string, Uint8Array>, decode: Decode): void {
  const raw = readMapping(scope, slot);
  if (!raw) return;
  for (const key of Object.keys(raw)) {
    const entry = keyedSlot(raw, key, slot.field);
    scope.mark(entry);
    if (!isDataKey(key)) {
      scope.report(
        'InvalidObject',
        slot,
        `A key of \`${slot.field}\` is not legal (letters, digits, \`-\`, \`_\`, \`.\`); it was left out.`,
      );
      continue;
    }
    const bytes = isAbsent(entry.value) ? new Uint8Array() : decode(scope, entry);
    if (bytes) data.set(key, bytes);
  }
}

function decodeBase64(scope: ObjectScope, entry: Slot): Uint8Array | undefined {
  const text = scalarText(scope, entry)?.replace(/[\r\n \t]/g, '');
  if (text !== undefined && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text))
    return new Uint8Array(Buffer.from(text, 'base64'));
  scope.report(
    'InvalidObject',
    entry,
    `\`${entry.field}\` is not base64; the key was left out.`,
    'Encode it with base64, or move it to `stringData`.',
  );
  return undefined;
}

function encodeText(scope: ObjectScope, entry: Slot): Uint8Array | undefined {
  const text = scalarText(scope, entry);
  if (text === undefined || isRecord(entry.value)) {
    scope.report('InvalidObject', entry, `\`${entry.field}\` must be a text; the key was left out.`);
    return undefined;
  }
  if (typeof entry.value !== 'string')
    scope.report(
      'ToleratedValue',
      entry,
      `\`${entry.field}\` is not a text, as Kubernetes wants it; its spelling is used. Put it in quotes.`,
    );
  return new TextEncoder().encode(text);
}
