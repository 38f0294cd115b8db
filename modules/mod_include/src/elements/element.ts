import type { Page } from '../page.ts'

/** An element with the form of one, in a page. */
export interface Element {
  readonly name: string
  readonly attributes: readonly (readonly [name: string, value: string | null])[]
}

/** Does what an element means. */
export type ElementAction = (page: Page, element: Element) => void | Promise<void>

/** The attributes up to the first without a value, which httpd does not look at. */
export function* valuesOf(element: Element): Generator<readonly [name: string, value: string]> {
  for (const [name, value] of element.attributes) {
    if (value === null) return
    yield [name, value]
  }
}

/**
 * Whether an element counts here and has at least `least` attributes; too few are an error.
 * @param code of the message about them
 */
export function counts(page: Page, { name, attributes }: Element, least: number, code: string): boolean {
  if (!page.isPrinting) return false
  if (attributes.length >= least) return true
  page.log(code, `missing argument for ${name} element in ${page.file}`)
  page.addError()
  return false
}
