import type { FileInfo } from '@gatewright/api'
import { sizeText } from '@gatewright/api/text'
import { decodeEntities } from '../entities.ts'
import type { Page } from '../page.ts'
import { ABOVE_ROOT, relativeFile } from '../relative-file.ts'
import { timeText } from '../variables.ts'
import { counts, type Element, valuesOf } from './element.ts'

/** `fsize`: the lengths of files. */
export function fsize(page: Page, element: Element): Promise<void> {
  return describe(page, element, 'AH01350', ({ size }) =>
    page.sizeFormat === 'abbrev' ? sizeText(size) : String(size).replaceAll(/\B(?=(?:\d{3})+$)/g, ','),
  )
}

/** `flastmod`: when files were changed last. */
export function flastmod(page: Page, element: Element): Promise<void> {
  return describe(page, element, 'AH01351', ({ mtimeMs }) => timeText(page.timeFormat, mtimeMs))
}

async function describe(page: Page, element: Element, missing: string, text: (info: FileInfo) => string): Promise<void> {
  if (!counts(page, element, 1, missing)) return
  for (const [name, written] of valuesOf(element)) {
    const info = await find(page, element, name, page.expand(decodeEntities(written)))
    if (info === null) return page.addError()
    page.addText(text(info))
  }
}

/** @returns null if there is no such file, which was logged */
async function find(page: Page, element: Element, attribute: string, value: string): Promise<FileInfo | null> {
  const { request, file } = page
  if (attribute === 'file') {
    const path = relativeFile(value)
    if (path === null) {
      page.log('AH02668', `unable to access file "${value}" in parsed file ${file}`, ABOVE_ROOT)
      return null
    }
    const sub = await request.lookupFile(path)
    if (sub.status === 200 && sub.fileInfo !== null) return sub.fileInfo
    page.log('AH02670', `unable to lookup information about "${value}" in parsed file ${file}`)
  } else if (attribute === 'virtual') {
    const sub = await request.lookupUri(value)
    if (sub.status === 200 && sub.fileInfo !== null) return sub.fileInfo
    page.log('AH01339', `unable to get information about "${value}" in parsed file ${file}`)
  } else page.log('AH01340', `unknown parameter "${attribute}" to tag ${element.name} in ${file}`)
  return null
}
