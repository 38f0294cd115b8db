import type { MaybePromise, Request } from '@gatewright/api'

/** Up to this many bytes are read before the head is sent: then the length of a short body is known. */
const READ_AHEAD = 16 * 1024

/** The body of a request on its way to a backend. */
export interface OutgoingBody {
  /** A field of the head; null for none. */
  readonly framing: string | null
  readonly kind: 'none' | 'length' | 'chunked'
  /** The whole body, if it was short. */
  readonly whole: Buffer | null
  /** What was read of a longer one, and the rest. */
  readonly start: readonly Uint8Array[]
  readonly rest: AsyncIterator<Uint8Array> | null
}

const NONE: OutgoingBody = { framing: null, kind: 'none', whole: null, start: [], rest: null }

/** Whether a request announces a body. */
export function announcesBody({ headersIn }: Request): boolean {
  return headersIn.has('Transfer-Encoding') || headersIn.has('Content-Length')
}

/** The body as it is announced, unread: for a client that waits for a 100 (Continue). */
export function announcedBody(request: Request): OutgoingBody {
  const chunked = request.headersIn.has('Transfer-Encoding')
  const length = request.headersIn.get('Content-Length')
  if (!chunked && length === undefined) return NONE
  return {
    framing: chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    kind: chunked ? 'chunked' : 'length',
    whole: null,
    start: [],
    rest: request.readBody()[Symbol.asyncIterator](),
  }
}

/**
 * Reads a short body, or the start of a longer one.
 * @param whole reads all of it, so that its length can be stated
 * @throws if the client does not send what it announced
 */
export function readAhead(request: Request, how: { readonly whole: boolean }): MaybePromise<OutgoingBody> {
  return announcesBody(request) ? (READ.get(request) ?? readStart(request, how)) : NONE
}

/** What was read for a member of a balancer to which there was no connection: another one gets it. */
const READ = new WeakMap<Request, OutgoingBody>()

async function readStart(request: Request, { whole }: { readonly whole: boolean }): Promise<OutgoingBody> {
  const chunks: Uint8Array[] = []
  let read = 0
  const body = request.readBody()[Symbol.asyncIterator]()
  for (;;) {
    const next = await body.next()
    if (next.done === true) break
    chunks.push(Buffer.from(next.value))
    read += next.value.length
    if (read < READ_AHEAD || whole) continue
    const { framing, kind } = announcedFraming(request)
    return keep(request, { framing, kind, whole: null, start: chunks, rest: body })
  }
  const all = Buffer.concat(chunks)
  return keep(request, { framing: `Content-Length: ${read}`, kind: 'length', whole: all, start: [], rest: null })
}

function keep(request: Request, body: OutgoingBody): OutgoingBody {
  READ.set(request, body)
  return body
}

function announcedFraming(request: Request): Pick<OutgoingBody, 'framing' | 'kind'> {
  const chunked = request.headersIn.has('Transfer-Encoding')
  return chunked
    ? { framing: 'Transfer-Encoding: chunked', kind: 'chunked' }
    : { framing: `Content-Length: ${request.headersIn.get('Content-Length') ?? '0'}`, kind: 'length' }
}
