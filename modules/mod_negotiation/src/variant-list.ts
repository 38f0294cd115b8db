import { escapeHtml } from '@gatewright/api/text'
import type { Variant } from './variant.ts'
import { escapeSegment } from './variant-fields.ts'

/** The list in the pages for 300 and 406, formatted as httpd's; made in steps for `inTurns`. */
export function* variantList(variants: readonly Variant[]): Generator<undefined, string> {
  let items = ''
  for (const variant of variants) {
    yield
    items += item(variant)
  }
  return `Available variants:\n<ul>\n${items}</ul>\n`
}

function item({ fileName, description, mimeType, languages, charset, encoding }: Variant): string {
  const attributes = [
    ['type', mimeType],
    ['language', languages.join(',')],
    ['charset', charset],
    ['encoding', encoding ?? ''],
  ]
  const shown = attributes.filter(([, value]) => value !== '').map(([name, value]) => `, ${name} ${escapeHtml(value)}`)
  const link = `<a href="${escapeHtml(escapeSegment(fileName))}">${escapeHtml(fileName)}</a>`
  return `<li>${link} ${escapeHtml(description)}${shown.join('')}</li>\n`
}
