import type { Request } from '@gatewright/api'

/** Characters that are not printable, and those with a meaning in the line. */
const ESCAPED = /[^ -~]|[:|%]/g

/**
 * The line that is written before a request is processed: `+ID|REQUEST LINE|NAME:VALUE...`, with the fields in the
 * order of the request.
 */
export function firstLine(id: string, { requestLine, headersIn }: Request): string {
  let line = `+${id}|${escaped(requestLine)}`
  for (const [name, value] of headersIn) line += `|${escaped(name)}:${escaped(value)}`
  return `${line}\n`
}

/** The line that is written after the response. */
export function lastLine(id: string): string {
  return `-${id}\n`
}

function escaped(text: string): string {
  return text.replace(ESCAPED, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
