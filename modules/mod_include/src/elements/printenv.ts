import { escapeHtml } from '@gatewright/api/text'
import type { Page } from '../page.ts'
import type { Element } from './element.ts'

/** `printenv`: all variables, one a line. */
export function printenv(page: Page, { attributes }: Element): void {
  if (!page.isPrinting) return
  if (attributes.length > 0) {
    page.log('AH01367', `printenv directive does not take tags in ${page.file}`)
    return page.addError()
  }
  for (const [name, value] of page.variables.entries(page)) page.addText(`${escapeHtml(name)}=${escapeHtml(value)}\n`)
}
