import { FIELD_VALUE, type FieldGrammar, type FieldText, logLine, type RefusalLog, TOKEN } from '@gatewright/http/messages'
import type { BadHeader } from './client-request.ts'
import type { UpstreamFault } from './upstream-error.ts'

/** The grammar of a head, by what is done with a line without a colon. */
export function responseFields(badHeader: BadHeader): FieldGrammar {
  return badHeader === 'ignore' ? LENIENT : STRICT
}

/** Makes the log line by which `faultOf` knows a fault again. */
function fault(code: UpstreamFault, detail: string): RefusalLog {
  return logLine(code, detail)
}

/** The fault of a section that was refused, and the text at fault. */
export function faultOf(log: RefusalLog | null): { readonly code: UpstreamFault; readonly detail: string } {
  const code = log?.code ?? ''
  const detail = log?.text ?? ''
  switch (code) {
    case 'field-line':
    case 'field-name':
    case 'field-value':
      return { code, detail }
    case 'AH00563':
      return { code: 'field-count', detail: '' }
    case 'AH03443':
      return { code: 'field-line', detail: '' }
    default:
      return { code: log?.errno.startsWith('(22)') === true ? 'nul' : 'field-size', detail }
  }
}

const STRICT: FieldGrammar = {
  bareLineFeeds: true,
  foldedFirst: 'judged',
  repeated: 'apart',
  // httpd leaves the blanks of a continuation as they are.
  join: (before, line) => before + line,
  judge: (text) => judge(text) ?? fault('field-line', text),
}

const LENIENT: FieldGrammar = { ...STRICT, judge }

/** RFC 9110 section 5, as httpd enforces it for everything that it sends. Null without a colon. */
function judge(text: string): FieldText | RefusalLog | null {
  const nameEnd = text.indexOf(':')
  if (nameEnd < 0) return null
  const name = text.slice(0, nameEnd)
  if (name === '') return fault('field-name', '')
  for (let i = 0; i < nameEnd; i++) {
    if (TOKEN[text.charCodeAt(i)] !== 1) return fault('field-name', name)
  }
  let valueStart = nameEnd + 1
  while (text[valueStart] === ' ' || text[valueStart] === '\t') valueStart++
  for (let i = valueStart; i < text.length; i++) {
    if (FIELD_VALUE[text.charCodeAt(i)] !== 1) return fault('field-value', `${name}: ${text.slice(valueStart)}`)
  }
  return { nameEnd, valueStart }
}
