import type { OsError, Request } from '@gatewright/api'
import { decodeEntities } from '../entities.ts'
import type { Page } from '../page.ts'
import { ABOVE_ROOT, relativeFile } from '../relative-file.ts'
import { addResponse } from '../sub-response.ts'
import { counts, type Element, valuesOf } from './element.ts'

/** Notes that a page includes a sub-request, which may be a page itself. */
export type NoteIncluded = (sub: Request, page: Page) => void

/** `include`: responses of this server. */
export async function include(page: Page, element: Element, note: NoteIncluded): Promise<void> {
  if (!counts(page, element, 1, 'AH01341')) return
  let failed = false
  for (const [name, written] of valuesOf(element)) {
    if (name !== 'virtual' && name !== 'file' && name !== 'onerror') {
      page.log('AH01342', `unknown parameter "${name}" to tag include in ${page.file}`)
      page.addError()
      break
    }
    // `onerror` stands for what could not be included before it, and nothing else is tried then.
    if (name !== 'file' && failed !== (name === 'onerror')) continue
    const value = decodeEntities(written)
    const fault = await includeOne(page, name, page.expand(value), note)
    if (fault === null) {
      failed = false
      continue
    }
    const what = fault.cause === undefined ? `"${value}"` : `file "${value}"`
    page.log('', `unable to include ${what} in parsed file ${page.file}${fault.reason}`, fault.cause)
    if (failed) break
    failed = true
  }
  if (failed) page.addError()
}

interface Fault {
  readonly reason: string
  readonly cause?: OsError
}

async function includeOne(page: Page, attribute: string, value: string, note: NoteIncluded): Promise<Fault | null> {
  const sub = await lookup(page, attribute, value)
  if (sub === null) return { reason: '', cause: ABOVE_ROOT }
  if (sub.status !== 200) return { reason: `, subrequest setup returned ${sub.status}` }
  const { request } = page
  const runsNothing = request.hasOption('IncludesNOEXEC') && !request.hasOption('Includes')
  if (runsNothing && sub.contentType !== null && !sub.contentType.startsWith('text/')) {
    return { reason: ', content type not text/*' }
  }
  note(sub, page)
  const status = await addResponse(page, sub)
  return status === null ? null : { reason: `, subrequest returned ${status}` }
}

/** Null for a file that is not in the folder of the page or below. */
async function lookup({ request }: Page, attribute: string, value: string): Promise<Request | null> {
  if (attribute !== 'file') return request.lookupUri(value, request.keptBody === null ? 'GET' : request.method)
  const path = relativeFile(value)
  return path === null ? null : request.lookupFile(path)
}
