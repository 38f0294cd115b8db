import { escapeHtml } from '@gatewright/api'
import type { Variant } from './variant.ts'
import { escapeSegment } from './variant-fields.ts'

/** The list that the pages of 300 and 406 show, laid out as httpd's. */
export function variantList(variants: readonly Variant[]): string {
  return `Available variants:\n<ul>\n${variants.map(item).join('')}</ul>\n`
}

function item({ fileName, description, mimeType, languages, charset, encoding }: Variant): string {
  const attributes = [
    ['type', mimeType],
    ['language', languages.join(',')],
    ['charset', charset],
    ['encoding', encoding ?? ''],
  ]
  const told = attributes.filter(([, value]) => value !== '').map(([name, value]) => `, ${name} ${escapeHtml(value)}`)
  const link = `<a href="${escapeHtml(escapeSegment(fileName))}">${escapeHtml(fileName)}</a>`
  return `<li>${link} ${escapeHtml(description)}${told.join('')}</li>\n`
}
