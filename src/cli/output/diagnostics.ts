import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Severity } from '../../diagnostics/codes.ts';
import { compareText, type Origin } from '../../model/origin.ts';
import type { Io } from '../io.ts';
import { type Colour, painter, printable } from './text.ts';

/** One entry of `diagnostics` in `--output json`. The fields and their order are stable. */
export interface DiagnosticView {
  readonly code: string;
  readonly severity: Severity;
  readonly object: { readonly kind: string; readonly namespace: string; readonly name: string };
  readonly field: string | null;
  readonly file: string | null;
  readonly line: number | null;
  readonly message: string;
  readonly hint: string;
}

export function diagnosticView({ code, severity, origin, message, hint }: Diagnostic): DiagnosticView {
  const { kind, namespace, name, field = null, file = null, line = null } = origin;
  return { code, severity, object: { kind, namespace, name }, field, file, line, message, hint };
}

/** By file and line, as an author goes through them. */
export function byPlace(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.origin.file ?? '', b.origin.file ?? '') ||
    (a.origin.line ?? 0) - (b.origin.line ?? 0) ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}

const COLOURS: Readonly<Record<Severity, Colour>> = { error: 'red', warning: 'yellow', info: 'dim' };

/** `file:line severity Code Kind namespace/name: message`, then the hint. */
export function diagnosticLines(diagnostics: readonly Diagnostic[], io: Io): string {
  const paint = painter(io);
  return diagnostics
    .map(({ code, severity, origin, message, hint }) => {
      const head = [placeOf(origin), paint(COLOURS[severity], severity), paint('bold', code), ...objectOf(origin)]
        .filter((part) => part !== '')
        .join(' ');
      return `${head}: ${printable(message)}\n  ${paint('dim', `hint: ${printable(hint)}`)}\n`;
    })
    .join('');
}

function placeOf({ file, line }: Origin): string {
  if (file === undefined) return '';
  return line === undefined ? printable(file) : `${printable(file)}:${line}`;
}

/** A file is named by its place already. */
function objectOf({ kind, namespace, name }: Origin): readonly string[] {
  return kind === 'File' ? [] : [printable(`${kind} ${namespace === '' ? name : `${namespace}/${name}`}`)];
}
