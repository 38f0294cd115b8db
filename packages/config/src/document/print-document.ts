import type { ConfigDocument, DocumentItem } from './document.ts'

/** Spaces by which the content of a new section is indented. */
const STEP = '  '

/**
 * The file's text: byte for byte as read. Items without `raw` become new lines in the style of those around
 * them.
 */
export function printDocument({ items }: ConfigDocument): string {
  return printItems(items, '')
}

function printItems(items: readonly DocumentItem[], outer: string): string {
  const indent = indentOf(items) ?? outer
  let out = ''
  for (const item of items) {
    // A last line without a line end must not be joined with a new one.
    if (item.raw === undefined && out !== '' && !out.endsWith('\n')) out += '\n'
    out += printItem(item, indent)
  }
  return out
}

function printItem(item: DocumentItem, indent: string): string {
  if (item.kind !== 'section') return item.raw ?? `${indent}${lineOf(item)}\n`
  const argument = item.text === '' ? '' : ` ${oneLine(item.text)}`
  const opening = item.raw ?? `${indent}<${item.name}${argument}>\n`
  const inner = printItems(item.items, `${/^[ \t]*/.exec(opening)?.[0] ?? ''}${STEP}`)
  if (item.closing === null) return item.raw === undefined ? `${opening}${inner}${indent}</${item.name}>\n` : opening + inner
  const gap = inner !== '' && !inner.endsWith('\n') ? '\n' : ''
  return `${opening}${inner}${gap}${item.closing.raw ?? `${/^[ \t]*/.exec(opening)?.[0] ?? ''}</${item.closing.name}>\n`}`
}

function lineOf(item: Exclude<DocumentItem, { kind: 'section' }>): string {
  switch (item.kind) {
    case 'blank':
      return ''
    case 'comment':
      return `#${oneLine(item.text)}`
    case 'stray-closing':
      return `</${item.name}>`
    case 'directive': {
      const words = item.text === '' ? item.words.map(quotedWord).join(' ') : oneLine(item.text)
      return words === '' ? item.name : `${item.name} ${words}`
    }
  }
}

/** A new item is one line, regardless of its text: a line end in it would become another directive. */
function oneLine(text: string): string {
  const line = text.replace(/[\r\n]+/g, ' ')
  return line.endsWith('\\') ? `${line} ` : line
}

/** Quotes a word so that `nextWord` reads it back unchanged. */
function quotedWord(word: string): string {
  const line = word.replace(/[\r\n]+/g, ' ')
  if (line !== '' && !/[\s"'\\]/.test(line)) return line
  return `"${line.replace(/["\\]/g, '\\$&')}"`
}

/** The indentation of the first item that was read. */
function indentOf(items: readonly DocumentItem[]): string | undefined {
  const known = items.find(({ kind, raw }) => kind !== 'blank' && raw !== undefined)
  return known?.raw === undefined ? undefined : (/^[ \t]*/.exec(known.raw)?.[0] ?? '')
}
