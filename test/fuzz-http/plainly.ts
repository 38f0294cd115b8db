import type { Reading, ReadMessage } from './reading.ts'

/**
 * The same stream in the words of RFC 9112 alone, and where our messages end in it: without what httpd, and so we, take and Node refuses although
 * the RFC says how it is to be read. These are fields on several lines (section 5.2), a Content-Length beside Transfer-Encoding
 * (6.1), and blanks and extensions of any form behind a chunk size (7.1.1).
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
  const emptyLines = /^(?:\r\n)*/.exec(text)?.[0].length ?? 0
  const headEnd = text.indexOf('\r\n\r\n', emptyLines) + 2
  if (headEnd < 2) return text
  const head = onSingleLines(text.slice(0, headEnd)).replaceAll(/[ \t]+(?=\r\n)/g, '')
  if (!fields.some(isTransferEncoding)) return head + text.slice(headEnd)
  const contentStart = headEnd + 2
  return `${head.replaceAll(LENGTH_FIELD, '')}\r\n${plainChunks(text.slice(contentStart))}`
}

const LENGTH_FIELD = /(?<=\r\n)content-length:[^\r\n]*\r\n/gi

function isTransferEncoding(name: string, index: number): boolean {
  return index % 2 === 0 && name.toLowerCase() === 'transfer-encoding'
}

function onSingleLines(section: string): string {
  return section.replaceAll(/[ \t]*\r\n[ \t]+/g, ' ')
}

function plainChunks(text: string): string {
  const line = /([0-9a-f]+)[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?\r\n/iy
  let made = ''
  for (;;) {
    const start = line.lastIndex
    const match = line.exec(text)
    if (match === null) return made + text.slice(start)
    const size = Number.parseInt(match[1], 16)
    made += `${match[1]}\r\n`
    if (size === 0) return made + onSingleLines(text.slice(line.lastIndex))
    const next = line.lastIndex + size + 2
    made += text.slice(line.lastIndex, next)
    line.lastIndex = next
  }
}
