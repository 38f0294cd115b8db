import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import type { Trouble } from '../analysis.ts'
import { fromBytes } from './byte-texts.ts'
import { lineText } from './logical-line.ts'

const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
} as const

/** What a code action needs to know of a diagnostic. */
export interface DiagnosticData {
  readonly rule: string | null
  readonly hint: string | null
}

/** A trouble as editors show it: the whole line is marked. @param document absent for a file that is not open */
export function diagnosticOf({ line, severity, message, hint, rule }: Trouble, document: TextDocument | undefined): Diagnostic {
  const last = document === undefined ? line : document.lineCount
  const at = Math.max(0, Math.min(line, last) - 1)
  const text = document === undefined ? '' : lineText(document, at)
  const start = text.length - text.trimStart().length
  const shown = fromBytes(message)
  return {
    range: { start: { line: at, character: start }, end: { line: at, character: Math.max(text.trimEnd().length, start) } },
    severity: SEVERITIES[severity],
    source: rule === null ? 'httpd -t' : 'gatewright lint',
    ...(rule === null ? {} : { code: rule }),
    message: hint === null ? shown : `${shown}\nhint: ${fromBytes(hint)}`,
    data: { rule, hint: hint === null ? null : fromBytes(hint) } satisfies DiagnosticData,
  }
}
