import { createGzip } from 'node:zlib'
import {
  FILTER_RANK,
  type FilteredBody,
  type MaybePromise,
  type ModuleLog,
  type OutputFilter,
  type Request,
} from '@gatewright/api'
import {
  announceNewRepresentation,
  type Compression,
  Compressor,
  codingAcceptor,
  contentEncodingOf,
  isIdentity,
  setContentCoding,
} from '@gatewright/filters'
import {
  DEFAULT_BUFFER_SIZE,
  DEFAULT_MEM_LEVEL,
  DEFAULT_WINDOW_SIZE,
  type DeflateServerConfig,
  type SettingsOf,
} from './config.ts'

/**
 * Bodies up to this length would hardly become shorter: the length of gzip's header and trailer plus 50
 * bytes.
 */
const TOO_SHORT = 68

/** Length of gzip's header and trailer, which httpd does not count. */
const FRAME = 18

/** Without its own header, zlib requires a window of at least 512 bytes. */
const LEAST_WINDOW = 9

/** The longest piece of output that zlib returns, and the shortest that it accepts as a setting. */
const MAX_CHUNK = 64 * 1024
const MIN_CHUNK = 64

const acceptsGzip = codingAcceptor('gzip')

/** DEFLATE: compresses responses for clients that accept gzip. */
export class DeflateFilter implements OutputFilter {
  readonly name = 'DEFLATE'
  readonly rank: number = FILTER_RANK.contentSet
  readonly #settingsOf: SettingsOf
  readonly #log: ModuleLog
  readonly #compressor = new Compressor<Readonly<DeflateServerConfig>>()

  constructor(settingsOf: SettingsOf, log: ModuleLog) {
    this.#settingsOf = settingsOf
    this.#log = log
  }

  filter(request: Request, body: FilteredBody): MaybePromise<FilteredBody> {
    if (!isWorthwhile(request, body)) return body
    // Set even if this client does not accept gzip, because the response to other clients differs.
    request.headersOut.merge('Vary', 'Accept-Encoding')
    if (!request.env.has('force-gzip') && !acceptsGzip(request.headersIn.get('accept-encoding'))) return body
    const settings = this.#settingsOf.server(request.server)
    if ((settings.windowSize ?? DEFAULT_WINDOW_SIZE) < LEAST_WINDOW) {
      this.#log.write(request, 'error', 'AH01383', `unable to init Zlib: deflateInit2 returned -2: URL ${request.uri}`)
      return body
    }
    setContentCoding(request, 'gzip')
    announceNewRepresentation(request, 'gzip', settings.etagChange ?? 'add-suffix')
    return this.#compressor.compress(request, body, settings, this.#compression(request, settings))
  }

  #compression(request: Request, settings: Readonly<DeflateServerConfig>): Compression {
    const bufferSize = settings.bufferSize ?? DEFAULT_BUFFER_SIZE
    return {
      bufferSize,
      stream: () =>
        createGzip({
          level: settings.compressionLevel,
          memLevel: settings.memLevel ?? DEFAULT_MEM_LEVEL,
          windowBits: settings.windowSize ?? DEFAULT_WINDOW_SIZE,
          chunkSize: Math.min(Math.max(bufferSize, MIN_CHUNK), MAX_CHUNK),
        }),
      done: (before, after) => this.#logAndNote(request, settings, before, after),
    }
  }

  /** Sets notes for access logs, and logs the result. */
  #logAndNote(request: Request, settings: Readonly<DeflateServerConfig>, before: number, after: number): void {
    const { inputNote, outputNote, ratioNote } = settings
    const output = after - FRAME
    if (this.#log.enabled(request.server, 'debug')) {
      this.#log.write(request, 'debug', 'AH01384', `Zlib: Compressed ${before} to ${output} : URL ${request.uri}`)
    }
    if (inputNote !== undefined) request.notes.set(inputNote, before > 0 ? String(before) : '-')
    if (outputNote !== undefined) request.notes.set(outputNote, before > 0 ? String(output) : '-')
    if (ratioNote !== undefined) request.notes.set(ratioNote, before > 0 ? String(Math.floor((output * 100) / before)) : '-')
  }
}

/** Infinity if it is not known. */
function lengthOf(body: FilteredBody): number {
  if (body instanceof Uint8Array) return body.length
  return 'contentLength' in body && typeof body.contentLength === 'number' ? body.contentLength : Number.POSITIVE_INFINITY
}

/** Whether a response would be compressed for a client that accepts gzip. */
function isWorthwhile(request: Request, body: FilteredBody): boolean {
  const { env, headersOut, status, contentType } = request
  if (lengthOf(body) <= TOO_SHORT) return false
  // A failed condition has no body: HEAD reports the length of the file.
  if (status === 412 && request.headerOnly) return false
  if (request.main !== null || status === 204 || headersOut.has('Content-Range') || env.has('no-gzip')) return false
  if (env.get('gzip-only-text/html') === '1' && contentType?.startsWith('text/html') !== true) return false
  return isIdentity(contentEncodingOf(request))
}
