import type { FilteredBody, MaybePromise, Request } from '@gatewright/api'
import { Codec, type CodecStream } from './codec.ts'
import { piecesOf, recode } from './recode.ts'

/** Number of bytes compressed per step. */
const PIECE = 64 * 1024

/** How bodies are compressed. */
export interface Compression {
  /** Number of output bytes that are collected before sending begins. */
  readonly bufferSize: number
  /** Makes a stream that compresses one body. */
  stream(): CodecStream
  /** Called when all of a body is compressed, with its length before and after. */
  done(before: number, after: number): void
}

/**
 * Compresses response bodies in threads, and keeps the results of those in memory, such as files in the host's cache, by
 * the settings of their compression.
 */
export class Compressor<Settings extends object> {
  readonly #kept = new WeakMap<Settings, WeakMap<Uint8Array, Uint8Array>>()

  /** The compressed body; at once if it is known. */
  compress(request: Request, body: FilteredBody, settings: Settings, compression: Compression): MaybePromise<FilteredBody> {
    const known = body instanceof Uint8Array ? this.#kept.get(settings)?.get(body) : undefined
    if (known === undefined || !(body instanceof Uint8Array)) return this.#compress(request, body, settings, compression)
    compression.done(body.length, known.length)
    return known
  }

  async #compress(request: Request, body: FilteredBody, settings: Settings, compression: Compression): Promise<FilteredBody> {
    const codec = new Codec(compression.stream())
    const source = piecesOf(body, PIECE)
    request.onDone(() => {
      codec.close()
      void source.return(undefined)
    })
    const result = await recode(source, codec, compression.bufferSize, () => compression.done(codec.bytesIn, codec.bytesOut))
    if (body instanceof Uint8Array && result instanceof Uint8Array) this.#keep(settings, body, result)
    return result
  }

  #keep(settings: Settings, body: Uint8Array, compressed: Uint8Array): void {
    let bodies = this.#kept.get(settings)
    if (bodies === undefined) {
      bodies = new WeakMap()
      this.#kept.set(settings, bodies)
    }
    bodies.set(body, compressed)
  }
}
