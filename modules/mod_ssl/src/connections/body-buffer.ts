import {
  DECLINED,
  FILTER_RANK,
  HTTP_REQUEST_ENTITY_TOO_LARGE,
  httpStatus,
  type InputFilter,
  type MaybePromise,
  type ModuleLog,
  type Outcome,
  type Request,
} from '@gatewright/api'

/** Bytes of SSLRenegBufferSize where it says nothing. */
const DEFAULT_SIZE = 131_072

/** Request bodies that arrived before another handshake, for those who read them after it. */
export class BodyBuffer {
  readonly #log: ModuleLog
  readonly #bodies = new WeakMap<Request, InputFilter>()

  constructor(log: ModuleLog) {
    this.#log = log
  }

  /**
   * Reads the body of a request into memory.
   * @param size SSLRenegBufferSize
   * @param failure the code and the text to log if the body does not fit
   * @returns DECLINED to continue, or the status that rejects the request
   */
  fill(request: Request, size: number | undefined, failure: readonly [string, string]): MaybePromise<Outcome> {
    const first = firstOf(request)
    // A client that waits for `100 Continue` sends its body after the handshake.
    if (!hasBody(first) || expectsContinue(first) || this.#bodies.has(first)) return DECLINED
    return this.#read(request, first, size ?? DEFAULT_SIZE, failure)
  }

  /** Gives the body of a request to one that continues it: a sub-request, or an internal redirect. */
  pass(request: Request): void {
    if (request.main === null && request.prev === null) return
    const held = this.#bodies.get(firstOf(request))
    if (held !== undefined) request.addInputFilter(held)
  }

  async #read(request: Request, first: Request, size: number, failure: readonly [string, string]): Promise<Outcome> {
    const refuse = (): Outcome => {
      this.#log.write(request, 'error', ...failure)
      return HTTP_REQUEST_ENTITY_TOO_LARGE
    }
    if (size === 0) return refuse()
    const chunks: Uint8Array[] = []
    let length = 0
    try {
      for await (const chunk of first.readBody()) {
        length += chunk.length
        if (length > size) {
          this.#log.write(request, 'error', 'AH02018', `request body exceeds maximum size (${size}) for SSL buffer`)
          return refuse()
        }
        chunks.push(chunk.slice())
      }
    } catch (error) {
      this.#log.write(request, 'error', 'AH02015', 'could not read request body for SSL buffer')
      this.#log.write(request, 'error', ...failure)
      // A body that is refused, for its length perhaps, has a status.
      if (error instanceof Error && 'status' in error && typeof error.status === 'number') return httpStatus(error.status)
      throw error
    }
    const held = replay(chunks)
    this.#bodies.set(first, held)
    request.addInputFilter(held)
    return DECLINED
  }
}

/** Puts chunks in the place of a body, once. */
function replay(chunks: Uint8Array[]): InputFilter {
  return {
    name: 'SSL/TLS BUFFER',
    rank: FILTER_RANK.network,
    async *filter() {
      for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) yield chunk
    },
  }
}

/** The request that the client sent. */
function firstOf(request: Request): Request {
  let first = request
  for (let before = first.main ?? first.prev; before !== null; before = first.main ?? first.prev) first = before
  return first
}

function hasBody({ headersIn, headerOnly }: Request): boolean {
  if (headerOnly) return false
  return headersIn.has('Transfer-Encoding') || Number(headersIn.get('Content-Length') ?? 0) > 0
}

function expectsContinue({ headersIn, version }: Request): boolean {
  return version >= 1001 && headersIn.get('Expect')?.toLowerCase() === '100-continue'
}
