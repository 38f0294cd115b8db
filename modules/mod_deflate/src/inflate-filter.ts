import { createGunzip } from 'node:zlib'
import {
  FILTER_RANK,
  type FilteredBody,
  HTTP_INTERNAL_SERVER_ERROR,
  type MaybePromise,
  type ModuleLog,
  type Outcome,
  type OutputFilter,
  type Request,
} from '@gatewright/api'
import { announceNewRepresentation, Codec, piecesOf, recode, removeGzip } from '@gatewright/filters'
import { DEFAULT_BUFFER_SIZE, DEFAULT_RATIO_BURST, DEFAULT_RATIO_LIMIT, type SettingsOf } from './config.ts'
import { peek } from './peek.ts'
import { ratioGuard } from './ratio-guard.ts'

/** Length of a gzip header without optional fields. */
const HEADER = 10

/**
 * Number of compressed bytes inflated per step. It is small, because the ratio limit allows much output for
 * little input.
 */
const PIECE = 8 * 1024

const MAX_CHUNK = 64 * 1024
const MIN_CHUNK = 64

/**
 * INFLATE: decompresses responses. It runs before all other content filters, which therefore see decompressed
 * content.
 */
export class InflateFilter implements OutputFilter {
  readonly name = 'INFLATE'
  readonly rank: number = FILTER_RANK.resource - 1
  readonly #settingsOf: SettingsOf
  readonly #log: ModuleLog

  constructor(settingsOf: SettingsOf, log: ModuleLog) {
    this.#settingsOf = settingsOf
    this.#log = log
  }

  filter(request: Request, body: FilteredBody): MaybePromise<FilteredBody | Outcome> {
    if (request.main !== null || request.status === 204 || request.headersOut.has('Content-Range')) return body
    if (!removeGzip(request)) return body
    announceNewRepresentation(request, 'gunzip', this.#settingsOf.server(request.server).etagChange ?? 'add-suffix')
    return body instanceof Uint8Array && body.length === 0 ? body : this.#inflate(request, body)
  }

  async #inflate(request: Request, body: FilteredBody): Promise<FilteredBody | Outcome> {
    const source = piecesOf(body, PIECE)
    request.onDone(() => void source.return(undefined))
    const { head, whole } = await peek(source, HEADER)
    if (head.length < HEADER) return this.#broken(request, 'AH01401', 'Zlib: Validation bytes not present')
    if (head[0] !== 0x1f || head[1] !== 0x8b) return body instanceof Uint8Array ? body : whole
    const { ratioLimit = DEFAULT_RATIO_LIMIT, ratioBurst = DEFAULT_RATIO_BURST } = this.#settingsOf.directory(request)
    const bufferSize = this.#settingsOf.server(request.server).bufferSize ?? DEFAULT_BUFFER_SIZE
    const codec = new Codec(
      createGunzip({ chunkSize: Math.min(Math.max(bufferSize, MIN_CHUNK), MAX_CHUNK) }),
      ratioGuard(ratioLimit, ratioBurst, (text) => {
        this.#log.write(request, 'warn', 'AH02650', text)
        return new Error(text)
      }),
    )
    request.onDone(() => codec.close())
    try {
      return await recode(whole, codec, bufferSize, () => undefined)
    } catch (error) {
      const { code, text } = messageFor(error)
      return this.#broken(request, code, text)
    }
  }

  #broken(request: Request, code: string, text: string): Outcome {
    this.#log.write(request, 'error', code, text)
    return HTTP_INTERNAL_SERVER_ERROR
  }
}

/** httpd's log message for an error of zlib. */
function messageFor(error: unknown): { readonly code: string; readonly text: string } {
  const message = error instanceof Error ? error.message : String(error)
  if (message === 'unexpected end of file') return { code: 'AH01401', text: 'Zlib: Validation bytes not present' }
  if (message === 'incorrect data check') return { code: 'AH01399', text: 'Zlib: Checksum of inflated stream invalid' }
  if (message === 'incorrect length check') return { code: 'AH01400', text: 'Zlib: Length of inflated stream invalid' }
  return { code: 'AH01409', text: `Zlib error inflating data (${message})` }
}
