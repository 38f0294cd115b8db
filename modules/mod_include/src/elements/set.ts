import { recoded } from '../encodings.ts'
import type { Page } from '../page.ts'
import { counts, type Element, valuesOf } from './element.ts'

/** `set`: values for variables. */
export function set(page: Page, element: Element): void {
  if (!counts(page, element, 2, 'AH01362')) return
  let variable: string | null = null
  let decoding = 'none'
  let encoding = 'none'
  for (const [name, value] of valuesOf(element)) {
    if (name === 'var') variable = page.expand(value)
    else if (name === 'decoding') decoding = value
    else if (name === 'encoding') encoding = value
    else if (name !== 'value') {
      page.log('AH01366', `Invalid tag for set directive in ${page.file}`)
      return page.addError()
    } else if (variable === null) {
      page.log('AH01363', `variable must precede value in set directive in ${page.file}`)
      return page.addError()
    } else {
      const coded = recoded(page.expand(value), decoding, encoding)
      if ('unknown' in coded) {
        const code = coded.kind === 'decoding' ? 'AH01364' : 'AH01365'
        page.log(code, `unknown value "${coded.unknown}" to parameter "${coded.kind}" of tag set in ${page.file}`)
        return page.addError()
      }
      if (!page.variables.keep(variable, coded.text)) {
        page.log('', `the variables have more than 8 MiB in parsed document ${page.file}`)
        return page.addError()
      }
    }
  }
}
