import type { Finding } from '../finding.ts'
import { NO_COLOURS, type Palette } from './palette.ts'
import { visible } from './visible.ts'

/** `FILE:LINE: warning GW003: ...`, a request that demonstrates it, and the solution. */
export function findingLines(finding: Finding, palette: Palette = NO_COLOURS): string[] {
  const { rule, severity, file, line, message, hint, request } = visible(finding)
  const place = palette.strong(line > 0 ? `${file}:${line}` : file)
  const paint = { error: palette.bad, warning: palette.waiting, note: palette.faint }[severity]
  return [
    `${place}: ${paint(`${severity} ${rule}`)}: ${message}`,
    ...(request === undefined ? [] : [`shown by: ${request.curl} -> ${request.status}`]),
    `hint: ${hint}`,
  ]
}
