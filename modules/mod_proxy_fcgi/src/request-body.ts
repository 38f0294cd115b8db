import type { Request } from '@gatewright/api'

/** Up to this many bytes are read before the request is sent: then the length of a short body is known. */
const READ_AHEAD = 16 * 1024

/** The body of a request on its way to a responder. */
export interface OutgoingBody {
  /** The whole body, if it was short; what was read of a longer one; null without a body. */
  readonly start: Buffer | null
  /** The rest of a longer one; null if there is none. */
  readonly rest: AsyncIterator<Uint8Array> | null
}

/**
 * Reads a short body, or the start of a longer one.
 * @throws if the client does not send what it announced
 */
export async function readAhead(request: Request): Promise<OutgoingBody> {
  if (!request.headersIn.has('Transfer-Encoding') && !request.headersIn.has('Content-Length')) return { start: null, rest: null }
  const known = READ.get(request)
  if (known !== undefined) return known
  const chunks: Uint8Array[] = []
  let read = 0
  const body = request.readBody('if-missing')[Symbol.asyncIterator]()
  for (;;) {
    const next = await body.next()
    if (next.done === true) return keep(request, { start: Buffer.concat(chunks), rest: null })
    // A filter may use the bytes of a chunk again.
    chunks.push(Buffer.from(next.value))
    read += next.value.length
    if (read >= READ_AHEAD) return keep(request, { start: Buffer.concat(chunks), rest: body })
  }
}

/** What was read for a member of a balancer to which there was no connection: another one gets it. */
const READ = new WeakMap<Request, OutgoingBody>()

function keep(request: Request, body: OutgoingBody): OutgoingBody {
  READ.set(request, body)
  return body
}
