import type { ConfigLine } from '@gatewright/api/status'
import { escapeHtml } from '@gatewright/api/text'
import { type ShownLine, shownLines } from './shown-line.ts'

const BLANK = '&nbsp;'

/** The lines of all modules or of one, as `<dd>` elements formatted as httpd's. */
export function configHtml(config: readonly ConfigLine[], source: string | null): string {
  let html = ''
  for (const line of shownLines(config, source)) html += lineHtml(line)
  return html
}

function lineHtml(line: ShownLine): string {
  switch (line.kind) {
    case 'file':
      return `<dd><tt><strong>In file: ${escapeHtml(line.file)}</strong></tt></dd>\n`
    case 'directive': {
      const text = line.text === '' ? '' : ` <i>${escapeHtml(line.text)}</i>`
      return `<dd><tt>${place(line.line, line.depth)}${escapeHtml(line.name)}${text}</tt></dd>\n`
    }
    case 'open':
      return `<dd><tt>${place(line.line, line.depth)}${escapeHtml(line.title)}</tt></dd>\n`
    case 'close':
      return `<dd><tt>${place(null, line.depth)}${escapeHtml(line.name)}</tt></dd>`
  }
}

/** The line number in four characters, a colon, and the indentation. */
function place(line: number | null, depth: number): string {
  const number = line === null ? '' : String(line)
  return `${BLANK.repeat(Math.max(0, 4 - number.length))}${number}:${BLANK}${BLANK.repeat(2 * depth)}`
}
