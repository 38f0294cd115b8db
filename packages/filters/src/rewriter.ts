import type { FilteredBody, Request } from '@gatewright/api'

/**
 * Rewrites a body that arrives in pieces of any size. Its functions yield the new bytes; an item may be empty. They
 * yield after at most a few milliseconds of work, so that the caller can let other requests run.
 */
export interface Rewriter {
  /** Takes the next piece, which is valid only until the function has finished. */
  push(piece: Uint8Array): Iterable<Uint8Array>
  /** The end of the body: yields the rest. */
  end(): Iterable<Uint8Array>
}

/** A body in memory up to this length is rewritten before the head is sent, so that its length is known. */
const WHOLE = 64 * 1024

/** Number of bytes rewritten per step. */
const PIECE = 16 * 1024

/**
 * Passes a response body through a rewriter, in constant memory and without delaying other requests. A short body in
 * memory becomes bytes. A stream arrives as its source sends it; the first bytes are made before the head is sent, so
 * that an error before them can still be answered with a status.
 * @param result `stream` for a body whose ranges are not to be sent
 * @throws the errors of the rewriter and of the source; the promise rejects with them
 */
export async function rewriteBody(
  request: Request,
  body: FilteredBody,
  rewriter: Rewriter,
  result: 'whole if short' | 'stream' = 'whole if short',
): Promise<FilteredBody> {
  const rewritten = rewrittenPieces(request, body, rewriter)
  if (!(body instanceof Uint8Array) || body.length > WHOLE || result === 'stream') {
    request.onDone(() => void rewritten.return(undefined))
    return startedStream(rewritten)
  }
  const made: Uint8Array[] = []
  for await (const piece of rewritten) made.push(piece)
  return Buffer.concat(made)
}

/** Like {@link rewriteBody}, for the body of a request. */
export function rewriteRequestBody(
  request: Request,
  body: AsyncIterable<Uint8Array>,
  rewriter: Rewriter,
): AsyncGenerator<Uint8Array> {
  return rewrittenPieces(request, body, rewriter)
}

async function* rewrittenPieces(request: Request, body: FilteredBody, rewriter: Rewriter): AsyncGenerator<Uint8Array> {
  for await (const chunk of body instanceof Uint8Array ? [body] : body) {
    for (let at = 0; at < chunk.length; at += PIECE) {
      for (const made of rewriter.push(chunk.subarray(at, at + PIECE))) {
        if (request.work.spend(STEPS)) await request.work.pause()
        if (made.length > 0) yield made
      }
    }
  }
  for (const made of rewriter.end()) {
    if (request.work.spend(STEPS)) await request.work.pause()
    if (made.length > 0) yield made
  }
}

/** Approximate microseconds for each item that a rewriter yields. */
const STEPS = 100

/** Waits for the first piece. */
async function startedStream(pieces: AsyncGenerator<Uint8Array>): Promise<FilteredBody> {
  const first = await pieces.next()
  return first.done === true ? new Uint8Array(0) : withFirst(first.value, pieces)
}

async function* withFirst(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}
