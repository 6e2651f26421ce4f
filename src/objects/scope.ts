import type { DiagnosticCode } from '../diagnostics/codes.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { newRecord } from './records.ts';
import type { FilePosition } from './types.ts';

/** Where the parts of a raw value were written. Only values read from files have one. */
export interface SourceMap {
  /** 1-based line of a member of a mapping or sequence. */
  lineOf(container: object, key: string | number): number | undefined;
  /** The text of a scalar as it was written: `1.0` is no longer to be seen in the number 1. */
  textOf(container: object, key: string | number): string | undefined;
}

export interface ParseSource {
  readonly file: string;
  /** 1-based line of the document's first line. */
  readonly line: number;
  readonly map: SourceMap;
}

export interface ParseContext {
  readonly source?: ParseSource;
  /** For objects that bring no resourceVersion; a file source gives the hash of the document. */
  readonly resourceVersion?: string;
}

/** One member of a raw value, with the path that diagnostics name it by. */
export interface Slot {
  readonly container: Readonly<Record<string, unknown>> | readonly unknown[];
  readonly key: string | number;
  readonly field: string;
  readonly value: unknown;
}

export function memberSlot(container: Readonly<Record<string, unknown>>, key: string, parent: string): Slot {
  return { container, key, field: parent === '' ? key : `${parent}.${key}`, value: container[key] };
}

export function keyedSlot(container: Readonly<Record<string, unknown>>, key: string, parent: string): Slot {
  return { container, key, field: `${parent}["${key}"]`, value: container[key] };
}

export function itemSlot(container: readonly unknown[], key: number, parent: string): Slot {
  return { container, key, field: `${parent}[${key}]`, value: container[key] };
}

export interface ObjectIdentity {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** What is gathered while one object is read: its complaints and the lines of its parts. */
export class ObjectScope {
  readonly diagnostics: Diagnostic[] = [];
  readonly identity: ObjectIdentity;
  readonly #source: ParseSource | undefined;
  readonly #line: number;
  readonly #lines = newRecord<number>();
  readonly #onceSaid = new Set<string>();

  /** `line` is the object's own first line; it differs from the document's inside a List. */
  constructor(identity: ObjectIdentity, source?: ParseSource, line = source?.line ?? 1) {
    this.identity = identity;
    this.#source = source;
    this.#line = line;
  }

  report(code: DiagnosticCode, slot: Slot | undefined, message: string, hint?: string): void {
    const { kind, namespace, name, uid } = this.identity;
    const origin = {
      kind,
      namespace,
      name,
      ...(uid === '' ? {} : { uid }),
      ...(slot ? { field: slot.field } : {}),
      ...(this.#source ? { file: this.#source.file, line: this.#lineOf(slot) ?? this.#lineAround(slot) ?? this.#line } : {}),
    };
    this.diagnostics.push(diagnostic(code, origin, message, hint));
  }

  /** For what concerns the whole object though it shows at every path. */
  reportOnce(code: DiagnosticCode, slot: Slot | undefined, message: string, hint?: string): void {
    if (this.#onceSaid.has(code)) return;
    this.#onceSaid.add(code);
    this.report(code, slot, message, hint);
  }

  /** Remembers the line of a part that later stages may complain about. */
  mark(slot: Slot): void {
    const line = this.#lineOf(slot);
    if (line !== undefined) this.#lines[slot.field] = line;
  }

  textOf(slot: Slot): string | undefined {
    return this.#source?.map.textOf(slot.container, slot.key);
  }

  /** To be spread into the object. */
  position(): { readonly position?: FilePosition } {
    if (!this.#source) return {};
    return { position: { file: this.#source.file, line: this.#line, lines: this.#lines } };
  }

  #lineOf(slot: Slot | undefined): number | undefined {
    return slot && this.#source?.map.lineOf(slot.container, slot.key);
  }

  /** What is missing has no line; the part that it is missing from has. */
  #lineAround(slot: Slot | undefined): number | undefined {
    for (let field = slot?.field ?? ''; field !== ''; field = field.slice(0, Math.max(0, field.lastIndexOf('.'), field.lastIndexOf('[')))) {
      const line = this.#lines[field];
      if (line !== undefined) return line;
    }
    return undefined;
  }
}
