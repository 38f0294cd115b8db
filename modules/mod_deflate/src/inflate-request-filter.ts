import { createGunzip } from 'node:zlib'
import {
  BodyRefused,
  FILTER_RANK,
  HTTP_BAD_REQUEST,
  HTTP_REQUEST_ENTITY_TOO_LARGE,
  type InputFilter,
  isBodyRefused,
  type LogLevelName,
  type ModuleLog,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { Codec, piecesOf, removeGzipOfRequest } from '@gatewright/filters'
import { DEFAULT_BUFFER_SIZE, DEFAULT_RATIO_BURST, DEFAULT_RATIO_LIMIT, type SettingsOf } from './config.ts'
import { ratioGuard } from './ratio-guard.ts'

/** Number of compressed bytes inflated between two checks of the limits. */
const PIECE = 8 * 1024

const MAX_CHUNK = 64 * 1024
const MIN_CHUNK = 64

/** DEFLATE for request bodies: decompresses them, within limits. */
export class InflateRequestFilter implements InputFilter {
  readonly name = 'DEFLATE'
  readonly rank: number = FILTER_RANK.contentSet
  readonly #settingsOf: SettingsOf
  readonly #log: ModuleLog

  constructor(settingsOf: SettingsOf, log: ModuleLog) {
    this.#settingsOf = settingsOf
    this.#log = log
  }

  filter(request: Request, body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    if (request.main !== null || request.prev !== null || request.headersIn.has('Content-Range')) return body
    if (!removeGzipOfRequest(request)) return body
    // These fields describe the compressed body, which no reader sees.
    request.headersIn.delete('Content-Length')
    request.headersIn.delete('Content-MD5')
    return this.#inflate(request, body)
  }

  async *#inflate(request: Request, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const bufferSize = this.#settingsOf.server(request.server).bufferSize ?? DEFAULT_BUFFER_SIZE
    const chunkSize = Math.min(Math.max(bufferSize, MIN_CHUNK), MAX_CHUNK)
    const codec = new Codec(createGunzip({ chunkSize }), this.#limits(request))
    request.onDone(() => codec.close())
    try {
      for await (const piece of piecesOf(body, PIECE)) yield* await this.#withErrors(request, codec.write(piece))
      // An empty body is accepted, although it is not gzip.
      if (codec.bytesIn > 0) yield* await this.#withErrors(request, codec.end())
    } finally {
      codec.close()
    }
  }

  /** The check that stops inflating at the length limit or the ratio limit. */
  #limits(request: Request): (codec: Codec) => void {
    const {
      ratioLimit = DEFAULT_RATIO_LIMIT,
      ratioBurst = DEFAULT_RATIO_BURST,
      requestLimit = 0,
    } = this.#settingsOf.directory(request)
    const ratio = ratioGuard(ratioLimit, ratioBurst, (text) => this.#refused(request, 'warn', 'AH02649', text))
    return (codec) => {
      if (requestLimit > 0 && codec.bytesOut > requestLimit) {
        const text = `Inflated content length of ${codec.bytesOut} is larger than the configured limit of ${requestLimit}`
        throw this.#refused(request, 'warn', 'AH02648', text, HTTP_REQUEST_ENTITY_TOO_LARGE)
      }
      ratio(codec)
    }
  }

  /** Treats zlib's errors as errors of the client. */
  async #withErrors(request: Request, step: Promise<Buffer[]>): Promise<Buffer[]> {
    try {
      return await step
    } catch (error) {
      if (isBodyRefused(error)) throw error
      const { level, code, text } = messageFor(error)
      throw this.#refused(request, level, code, text)
    }
  }

  #refused(request: Request, level: LogLevelName, code: string, text: string, status: Outcome = HTTP_BAD_REQUEST): BodyRefused {
    this.#log.write(request, level, code, text)
    return new BodyRefused(text, status)
  }
}

interface ErrorMessage {
  readonly level: LogLevelName
  readonly code: string
  readonly text: string
}

/** httpd's log message for an error of zlib. */
function messageFor(error: unknown): ErrorMessage {
  const message = error instanceof Error ? error.message : String(error)
  switch (message) {
    case 'unexpected end of file':
      return { level: 'error', code: 'AH02481', text: 'Encountered premature end-of-stream while inflating' }
    case 'incorrect header check':
      return { level: 'warn', code: 'AH01387', text: 'Zlib: Invalid header' }
    case 'incorrect data check':
      return { level: 'warn', code: 'AH01394', text: 'Zlib: CRC error inflating data' }
    default:
      return { level: 'warn', code: '', text: `Zlib error inflating data (${message})` }
  }
}
