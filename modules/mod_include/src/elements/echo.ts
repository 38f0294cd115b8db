import { recoded } from '../encodings.ts'
import { decodeEntities } from '../entities.ts'
import type { Page } from '../page.ts'
import { counts, type Element, valuesOf } from './element.ts'

/** `echo`: values of variables. */
export function echo(page: Page, element: Element): void {
  if (!counts(page, element, 1, 'AH01343')) return
  let decoding = 'none'
  let encoding = 'entity'
  for (const [name, written] of valuesOf(element)) {
    const value = decodeEntities(written)
    if (name === 'encoding') encoding = value
    else if (name === 'decoding') decoding = value
    else if (name !== 'var') {
      page.log('AH01346', `unknown parameter "${name}" in tag echo of ${page.file}`)
      return page.addError()
    } else echoVariable(page, page.expand(value), decoding, encoding)
  }
}

function echoVariable(page: Page, name: string, decoding: string, encoding: string): void {
  const value = page.valueOf(name)
  if (value === undefined) return page.addText(page.undefinedEcho)
  const coded = recoded(value, decoding, encoding)
  if (!('unknown' in coded)) return page.addText(coded.text)
  const code = coded.kind === 'decoding' ? 'AH01344' : 'AH01345'
  page.log(code, `unknown value "${coded.unknown}" to parameter "${coded.kind}" of tag echo in ${page.file}`)
  return page.addError()
}
