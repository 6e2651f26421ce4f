import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DIAGNOSTIC_CODES, type DiagnosticCode, type Severity } from '../../diagnostics/codes.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Origin } from '../../model/origin.ts';

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const satisfies Record<Severity, string>;

/** Static Analysis Results Interchange Format 2.1.0 (OASIS): what code hosts show beside the changed lines. */
export function sarif(diagnostics: readonly Diagnostic[], version: string): unknown {
  const codes = [...new Set(diagnostics.map((entry) => entry.code))].sort();
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'ramjet', version, rules: codes.map(rule) } },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map((entry) => result(entry, codes)),
      },
    ],
  };
}

function rule(code: DiagnosticCode): unknown {
  const { severity, summary, hint } = DIAGNOSTIC_CODES[code];
  return {
    id: code,
    name: code,
    shortDescription: { text: summary },
    help: { text: hint },
    defaultConfiguration: { level: LEVELS[severity] },
  };
}

function result({ code, severity, origin, message, hint }: Diagnostic, codes: readonly string[]): unknown {
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: LEVELS[severity],
    message: { text: `${message} ${hint}` },
    locations: [{ ...physical(origin), logicalLocations: [logical(origin)] }],
  };
}

function physical({ file, line }: Origin): { readonly physicalLocation?: unknown } {
  if (file === undefined) return {};
  return { physicalLocation: { artifactLocation: { uri: uriOf(file) }, ...(line === undefined ? {} : { region: { startLine: line } }) } };
}

function uriOf(file: string): string {
  return isAbsolute(file) ? pathToFileURL(file).href : file.split('/').map(encodeURIComponent).join('/');
}

function logical({ kind, namespace, name, field }: Origin): unknown {
  const object = `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;
  return { name, kind: 'object', fullyQualifiedName: field === undefined ? object : `${object} ${field}` };
}
