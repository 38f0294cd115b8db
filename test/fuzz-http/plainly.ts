import type { Reading, ReadMessage } from './reading.ts'

/**
 * The same stream in the plain form of RFC 9112, and where our messages end in it. It does not contain what httpd and
 * this server accept and Node rejects, although the RFC defines how to read it: fields on several lines (section 5.2), a
 * Content-Length next to Transfer-Encoding (6.1), blanks and extensions of any form after a chunk size (7.1.1), and bare
 * line feeds at the ends of lines (2.2).
 */
export function plainly(text: string, ours: Reading): { text: string; ours: Reading } {
  let made = ''
  let start = 0
  const messages = ours.messages.map((message) => {
    const stop = message.end < 0 ? text.length : message.end
    made += plainMessage(text.slice(start, stop), message)
    start = stop
    return message.end < 0 ? message : { ...message, end: made.length }
  })
  return { text: made + text.slice(start), ours: { ...ours, messages } }
}

function plainMessage(text: string, { fields }: ReadMessage): string {
  const whole = HEAD.exec(text)
  if (whole === null) return text
  const head = onSingleLines(withLineEnds(whole[1])).replaceAll(/[ \t]+(?=\r\n)/g, '')
  const content = text.slice(whole[0].length)
  if (!fields.some(isTransferEncoding)) return `${head}\r\n${content}`
  return `${head.replaceAll(LENGTH_FIELD, '')}\r\n${plainChunks(content)}`
}

/** Empty lines, then all up to the next one. */
const HEAD = /^((?:\r?\n)*[\s\S]*?\n)\r?\n/

function withLineEnds(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n')
}

const LENGTH_FIELD = /(?<=\r\n)content-length:[^\r\n]*\r\n/gi

function isTransferEncoding(name: string, index: number): boolean {
  return index % 2 === 0 && name.toLowerCase() === 'transfer-encoding'
}

function onSingleLines(section: string): string {
  return section.replaceAll(/[ \t]*\r\n[ \t]+/g, ' ')
}

function plainChunks(text: string): string {
  const line = /([0-9a-f]+)[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?\r?\n/iy
  let made = ''
  for (;;) {
    const start = line.lastIndex
    const match = line.exec(text)
    if (match === null) return made + text.slice(start)
    const size = Number.parseInt(match[1], 16)
    made += `${match[1]}\r\n`
    if (size === 0) return made + onSingleLines(withLineEnds(text.slice(line.lastIndex)))
    const end = line.lastIndex + size
    made += `${text.slice(line.lastIndex, end)}\r\n`
    line.lastIndex = end + (text[end] === '\n' ? 1 : 2)
  }
}
