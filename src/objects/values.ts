import { quote } from '../diagnostics/diagnostic.ts';
import { judgeName } from './names.ts';
import { isAbsent, isList, isRecord, newRecord, NO_TEXTS } from './records.ts';
import { keyedSlot, type ObjectScope, type Slot } from './scope.ts';

const MAX_JSON_TEXT = 4096;

/** What the value is, for a sentence; never the value itself, which may be secret or huge. */
export function describe(value: unknown): string {
  if (isAbsent(value)) return 'nothing';
  if (isList(value)) return 'a list';
  if (isRecord(value)) return 'a mapping';
  switch (typeof value) {
    case 'string':
      return 'a text';
    case 'number':
    case 'bigint':
      return 'a number';
    case 'boolean':
      return 'a boolean';
    default:
      return 'a value of an unknown type';
  }
}

/** The text of a scalar as written, or undefined for lists and mappings. */
export function scalarText(scope: ObjectScope, slot: Slot): string | undefined {
  const { value } = slot;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return scope.textOf(slot) ?? String(value);
  return undefined;
}

/** A text; undefined when absent or, after a complaint, not a text. Other scalars are taken by their spelling. */
export function readText(scope: ObjectScope, slot: Slot): string | undefined {
  const { value } = slot;
  if (isAbsent(value)) return undefined;
  if (typeof value === 'string') return value;
  const text = scalarText(scope, slot);
  if (text === undefined) {
    scope.report('InvalidObject', slot, `\`${slot.field}\` must be a text, not ${describe(value)}.`);
    return undefined;
  }
  scope.report(
    'ToleratedValue',
    slot,
    `\`${slot.field}\` is ${describe(value)} where Kubernetes wants a text; ${quote(text)} is used. Put it in quotes.`,
  );
  return text;
}

/** The name of another object; undefined when absent or, after a complaint, no name. */
export function readName(scope: ObjectScope, slot: Slot): string | undefined {
  const text = readText(scope, slot);
  if (text === undefined || text === '') return undefined;
  switch (judgeName(text)) {
    case 'legal':
      return text;
    case 'tolerable':
      scope.report('ToleratedValue', slot, `${quote(text)} is not a name that Kubernetes accepts; it is used as it stands.`);
      return text;
    case 'illegal':
      scope.report('InvalidObject', slot, `${quote(text)} in \`${slot.field}\` can not be the name of an object.`);
      return undefined;
  }
}

export function readList(scope: ObjectScope, slot: Slot): readonly unknown[] {
  if (isAbsent(slot.value)) return [];
  if (isList(slot.value)) return slot.value;
  scope.report('InvalidObject', slot, `\`${slot.field}\` must be a list, not ${describe(slot.value)}.`);
  return [];
}

/** A mapping; undefined when absent or, after a complaint, something else. */
export function readMapping(scope: ObjectScope, slot: Slot): Readonly<Record<string, unknown>> | undefined {
  if (isAbsent(slot.value)) return undefined;
  if (isRecord(slot.value)) return slot.value;
  scope.report('InvalidObject', slot, `\`${slot.field}\` must be a mapping, not ${describe(slot.value)}.`);
  return undefined;
}

export function readBoolean(scope: ObjectScope, slot: Slot): boolean | undefined {
  const { value } = slot;
  if (isAbsent(value)) return undefined;
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false') {
    scope.report(
      'ToleratedValue',
      slot,
      `\`${slot.field}\` is the text ${quote(value)} where Kubernetes wants a boolean; its meaning is used.`,
    );
    return value === 'true';
  }
  scope.report('InvalidObject', slot, `\`${slot.field}\` must be a boolean, not ${describe(value)}.`);
  return undefined;
}

/** 1 to 65535; undefined when absent or, after a complaint, no port number. */
export function readPortNumber(scope: ObjectScope, slot: Slot): number | undefined {
  const { value } = slot;
  if (isAbsent(value)) return undefined;
  const port = typeof value === 'string' && /^[0-9]{1,5}$/.test(value) ? Number(value) : value;
  if (!isPortNumber(port)) {
    scope.report('InvalidObject', slot, `\`${slot.field}\` must be a port number from 1 to 65535.`);
    return undefined;
  }
  if (typeof value === 'string')
    scope.report('ToleratedValue', slot, `\`${slot.field}\` is the text ${quote(value)} where Kubernetes wants a number; ${port} is used.`);
  return port;
}

/** A port by name or number, as `targetPort` and `servicePort` take it. */
export function readPortReference(scope: ObjectScope, slot: Slot): string | number | undefined {
  const { value } = slot;
  if (typeof value !== 'string' || /^[0-9]+$/.test(value)) return readPortNumber(scope, slot);
  if (/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/.test(value)) return value;
  scope.report('InvalidObject', slot, `${quote(value)} in \`${slot.field}\` is neither a port name nor a port number.`);
  return undefined;
}

export function isPortNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65535;
}

/**
 * A mapping of texts. A value of another type keeps its key: a key that disappeared would silently
 * switch off what it asks for, which may be authentication.
 */
export function readTexts(scope: ObjectScope, slot: Slot, legalKey: (key: string) => boolean): Readonly<Record<string, string>> {
  const raw = readMapping(scope, slot);
  if (!raw) return NO_TEXTS;
  const texts = newRecord<string>();
  for (const key of Object.keys(raw)) {
    const entry = keyedSlot(raw, key, slot.field);
    if (!legalKey(key)) {
      scope.report('InvalidObject', slot, `${quote(key)} is not a legal key of \`${slot.field}\`; it was left out.`);
      continue;
    }
    texts[key] = textEntry(scope, entry);
    scope.mark(entry);
  }
  return texts;
}

function textEntry(scope: ObjectScope, entry: Slot): string {
  const { value } = entry;
  if (typeof value === 'string') return value;
  // The API server decodes a null member as the empty text.
  if (isAbsent(value)) return '';
  const text = scalarText(scope, entry) ?? jsonText(value);
  scope.report(
    'ToleratedValue',
    entry,
    `\`${entry.field}\` is ${describe(value)} where Kubernetes wants a text; ${quote(text)} is used. Put it in quotes.`,
  );
  return text;
}

/** A list or mapping as text, so that the reader of the key refuses it by its own rules. */
function jsonText(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? '').slice(0, MAX_JSON_TEXT);
  } catch {
    // Cyclic or nested beyond the stack: only values built by a program can be.
    return '[unreadable]';
  }
}
