import { constants, createBrotliCompress } from 'node:zlib'
import { FILTER_RANK, type FilteredBody, type MaybePromise, type OutputFilter, type Request, type Server } from '@gatewright/api'
import {
  announceNewRepresentation,
  type Compression,
  Compressor,
  codingAcceptor,
  contentEncodingOf,
  isIdentity,
  setContentCoding,
} from '@gatewright/filters'
import { type BrotliConfig, DEFAULT_QUALITY, DEFAULT_WINDOW } from './config.ts'

/** Number of output bytes that are collected before sending begins. */
const BUFFER_SIZE = 8096

const acceptsBrotli = codingAcceptor('br')

/** BROTLI_COMPRESS: compresses responses for clients that accept br. */
export class BrotliFilter implements OutputFilter {
  readonly name = 'BROTLI_COMPRESS'
  readonly rank: number = FILTER_RANK.contentSet
  readonly #settingsOf: (server: Server) => Readonly<BrotliConfig>
  readonly #compressor = new Compressor<Readonly<BrotliConfig>>()

  constructor(settingsOf: (server: Server) => Readonly<BrotliConfig>) {
    this.#settingsOf = settingsOf
  }

  filter(request: Request, body: FilteredBody): MaybePromise<FilteredBody> {
    if (!isCompressible(request)) return body
    // Set even if this client does not accept br, because the response to other clients differs.
    request.headersOut.merge('Vary', 'Accept-Encoding')
    if (!acceptsBrotli(request.headersIn.get('accept-encoding'))) return body
    const settings = this.#settingsOf(request.server)
    setContentCoding(request, 'br')
    announceNewRepresentation(request, 'br', settings.etagChange ?? 'add-suffix')
    // A 304 has the fields of the compressed response, but no body.
    return request.status === 304 ? body : this.#compressor.compress(request, body, settings, compression(request, settings))
  }
}

function isCompressible(request: Request): boolean {
  const { env, headersOut, status } = request
  if (request.main !== null || status === 204 || headersOut.has('Content-Range') || env.has('no-brotli')) return false
  return isIdentity(contentEncodingOf(request))
}

function compression(request: Request, settings: Readonly<BrotliConfig>): Compression {
  const { quality = DEFAULT_QUALITY, window = DEFAULT_WINDOW, inputBlock = 0 } = settings
  return {
    bufferSize: BUFFER_SIZE,
    stream: () =>
      createBrotliCompress({
        params: {
          [constants.BROTLI_PARAM_QUALITY]: quality,
          [constants.BROTLI_PARAM_LGWIN]: window,
          [constants.BROTLI_PARAM_LGBLOCK]: inputBlock,
        },
      }),
    done: (before, after) => note(request, settings, before, after),
  }
}

/** Sets notes for access logs. */
function note(
  { notes }: Request,
  { inputNote, outputNote, ratioNote }: Readonly<BrotliConfig>,
  before: number,
  after: number,
): void {
  if (inputNote !== undefined) notes.set(inputNote, String(before))
  if (outputNote !== undefined) notes.set(outputNote, String(after))
  if (ratioNote !== undefined) notes.set(ratioNote, before > 0 ? String(Math.floor((after * 100) / before)) : '-')
}
