import type { Origin } from '../model/origin.ts';
import { compareOrigins, compareText } from '../model/origin.ts';
import { DIAGNOSTIC_CODES, type DiagnosticCode, type Severity } from './codes.ts';

/**
 * One thing an author can mend, in one plain sentence. The same value reaches `ramjet check`,
 * admission, Events and the admin page; the code is stable and documented in
 * `docs/reference/diagnostics.md`.
 */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly origin: Origin;
  readonly message: string;
  readonly hint: string;
}

/** `hint` defaults to the registry's; say a better one where the value at hand allows it. */
export function diagnostic(code: DiagnosticCode, origin: Origin, message: string, hint?: string): Diagnostic {
  const entry = DIAGNOSTIC_CODES[code];
  return { code, severity: entry.severity, origin, message, hint: hint ?? entry.hint };
}

/** Canonical order: object, field, code, sentence. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return compareOrigins(a.origin, b.origin) || compareText(a.code, b.code) || compareText(a.message, b.message);
}

/** User text inside a sentence: bounded and printable, so that a hostile value can't forge a line of output. */
export function quote(text: string, limit = 80): string {
  const printable = JSON.stringify(text.length > limit ? `${text.slice(0, limit)}…` : text);
  return `\`${printable.slice(1, -1)}\``;
}
