import { FILTER_RANK, type FilteredBody, type OutputFilter, type Request } from '@gatewright/api'
import type { IncludeConfig, IncludeServerConfig } from './config.ts'
import { END_TAG, START_TAG } from './config.ts'
import { hasElements } from './page-splitter.ts'
import type { Pages } from './pages.ts'

/** The settings of a request. */
export interface SettingsOf {
  directory(request: Request): Readonly<IncludeConfig>
  server(request: Request): Readonly<IncludeServerConfig>
}

/** The filter INCLUDES: processes the elements of pages. */
export class PageFilter implements OutputFilter {
  readonly name = 'INCLUDES'
  readonly rank: number = FILTER_RANK.resource
  readonly #settings: SettingsOf
  readonly #pages: Pages

  constructor(settings: SettingsOf, pages: Pages) {
    this.#settings = settings
    this.#pages = pages
  }

  /** A page is made for each request, so that a client's copy is as good only if XBitHack or SSIEtag promise it. */
  prepare(request: Request): void {
    const config = this.#settings.directory(request)
    if (!isUnchanging(request, config)) request.ignoresConditions = true
    if (config.etag !== true) request.notes.set('no-etag', '')
  }

  async filter(request: Request, body: FilteredBody): Promise<FilteredBody> {
    const { headersOut } = request
    const config = this.#settings.directory(request)
    if (config.etag !== true) headersOut.unset('ETag')
    if (!request.hasOption('Includes') && !request.hasOption('IncludesNOEXEC')) {
      const text = `mod_include: Options +Includes (or IncludesNoExec) wasn't set, INCLUDES filter removed: ${request.uri}`
      this.#pages.log.write(request, 'warn', 'AH01374', text)
      return body
    }
    const { startTag = START_TAG, endTag = END_TAG } = this.#settings.server(request)
    if (!isUnchanging(request, config) && config.lastModified !== true) headersOut.unset('Last-Modified')
    headersOut.unset('Content-Length')
    headersOut.unset('Content-MD5')
    if (body instanceof Uint8Array && !hasElements(body, startTag)) return body
    return this.#pages.process(request, body, { startTag, endTag })
  }
}

/** The group may execute the file: its author states that the page changes with the file only. */
function isUnchanging({ fileInfo }: Request, { xBitHack }: Readonly<IncludeConfig>): boolean {
  return xBitHack === 'full' && fileInfo !== null && (fileInfo.mode & 0o010) !== 0
}
