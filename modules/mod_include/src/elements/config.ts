import type { Page } from '../page.ts'
import { counts, type Element, valuesOf } from './element.ts'

/** `config`: texts and formats of the rest of the page. */
export function config(page: Page, element: Element): void {
  if (!counts(page, element, 1, 'AH01347')) return
  for (const [name, value] of valuesOf(element)) {
    if (name === 'errmsg') page.errorMessage = page.expand(value)
    else if (name === 'echomsg') page.undefinedEcho = page.expand(value)
    else if (name === 'timefmt') {
      page.timeFormat = page.expand(value)
      page.variables.remakeTimes(page)
    } else if (name === 'sizefmt') {
      const format = page.expand(value)
      if (format !== 'bytes' && format !== 'abbrev') {
        page.log('AH01348', `unknown value "${format}" to parameter "sizefmt" of tag config in ${page.file}`)
        return page.addError()
      }
      page.sizeFormat = format
    } else {
      page.log('AH01349', `unknown parameter "${name}" to tag config in ${page.file}`)
      return page.addError()
    }
  }
}
