import {
  DECLINED,
  type HostServices,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_MOVED_TEMPORARILY,
  HTTP_NOT_FOUND,
  httpStatus,
  M_GET,
  type MaybePromise,
  type ModuleLog,
  type Outcome,
  type Request,
} from '@gatewright/api'
import type { ImagemapConfig } from './config.ts'
import { mapLines } from './map-line.ts'
import { MapSearch, type SearchResult } from './map-search.ts'

const HANDLERS: ReadonlySet<string> = new Set(['imap-file', 'application/x-httpd-imap'])

const HTTP_NO_CONTENT = httpStatus(204)

/** In bytes; a larger map is refused. */
const MAP_LIMIT = 1024 * 1024

export interface HandlerParts {
  readonly configOf: (request: Request) => Readonly<ImagemapConfig>
  readonly services: HostServices
  readonly log: ModuleLog
}

/** Answers clicks on an image, and requests without coordinates with a menu. */
export class ImageMapHandler {
  readonly #parts: HandlerParts

  constructor(parts: HandlerParts) {
    this.#parts = parts
  }

  handle(request: Request): MaybePromise<Outcome> {
    if (request.handler === null || !HANDLERS.has(request.handler) || request.methodNumber !== M_GET) return DECLINED
    if (request.fileInfo?.kind !== 'file') return HTTP_NOT_FOUND
    let text: MaybePromise<string>
    try {
      text = this.#parts.services.fileText(request.filename, MAP_LIMIT)
    } catch (error) {
      return this.#refuse(request, error)
    }
    const answer = (map: string): Outcome => this.#answer(request, map)
    return text instanceof Promise ? text.then(answer, (error: unknown) => this.#refuse(request, error)) : answer(text)
  }

  #answer(request: Request, map: string): Outcome {
    const search = new MapSearch(request, this.#parts.configOf(request), this.#parts.log)
    for (const line of mapLines(map)) {
      const found = search.see(line)
      if (found !== null) return reply(request, found)
    }
    return reply(request, search.end())
  }

  #refuse(request: Request, error: unknown): Outcome {
    if (!(error instanceof Error)) throw error
    if (error.name !== 'FileTooLarge') return HTTP_NOT_FOUND
    this.#parts.log.about(request).error(`${request.filename} is larger than ${MAP_LIMIT} bytes, the limit of a map`)
    return HTTP_INTERNAL_SERVER_ERROR
  }
}

function reply(request: Request, result: SearchResult): Outcome {
  if ('page' in result) return request.send('text/html; charset=ISO-8859-1', result.page)
  const { target } = result
  if (target === null || target === '' || target.toLowerCase() === 'error') return HTTP_INTERNAL_SERVER_ERROR
  if (target.toLowerCase() === 'nocontent') return HTTP_NO_CONTENT
  request.headersOut.set('Location', target)
  return HTTP_MOVED_TEMPORARILY
}
