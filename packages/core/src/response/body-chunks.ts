import { httpStatus, type Outcome } from '@gatewright/api'
import type { BodyConsumer, BodyRequest, Exchange, Refusal } from '@gatewright/http'

/**
 * A request body that ends early: it was rejected, or the client disconnected. `status` is the response to
 * the request.
 */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody'
  readonly status: Outcome

  constructor(message: string, status: Outcome) {
    super(message)
    this.status = status
  }
}

/**
 * The chunks of a request body, at the reader's pace.
 * @param limit LimitRequestBody in bytes, 0 = none
 * @param refused logs a rejection; returns the status to respond with
 * @throws UnreadableBody
 */
export async function* bodyChunks(
  exchange: Exchange,
  limit: number,
  refused: (refusal: Refusal) => Outcome,
  asks: BodyRequest = 'at-once',
): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = []
  let received = 0
  let ended = false
  let failure: UnreadableBody | null = null
  let wake: (() => void) | null = null
  const notify = (): void => {
    wake?.()
    wake = null
  }
  const onError = (refusal: Refusal): void => {
    failure = new UnreadableBody(`the request body is refused with ${refusal.status}`, refused(refusal))
    notify()
  }
  // A body whose announced length exceeds the limit is rejected unread; a stream of HTTP/2 gives it up without a reason.
  if (limit > 0 && exchange.contentLength > limit) {
    exchange.discardBody(limit, (refusal) => {
      if (refusal !== null) onError(refusal)
      else if (exchange.isStream) onError(tooLong(exchange.contentLength, limit))
    })
  }
  if (failure !== null) throw failure
  const consumer: BodyConsumer = {
    onData: (chunk) => {
      received += chunk.length
      if (limit > 0 && received > limit) return exchange.refuseBody(tooLong(received, limit))
      chunks.push(chunk)
      notify()
      return 'pause'
    },
    onEnd: () => {
      ended = true
      notify()
    },
    onError,
    onTaken: () => {
      failure ??= new UnreadableBody('the request was answered before its body was read', httpStatus(400))
      notify()
    },
  }
  exchange.readBody(consumer, asks)
  for (;;) {
    const chunk = chunks.shift()
    if (chunk !== undefined) {
      yield chunk
      exchange.resumeBody()
      continue
    }
    if (failure !== null) throw failure
    if (ended) return
    if (exchange.aborted) throw new UnreadableBody('the client has disconnected', httpStatus(400))
    const woken = new Promise<void>((resolve) => {
      wake = resolve
    })
    const forget = exchange.whenGone(notify)
    await woken
    forget()
  }
}

function tooLong(length: number, limit: number): Refusal {
  const text = `Read content length of ${length} is larger than the configured limit of ${limit}`
  return {
    status: 413,
    note: '',
    log: { module: 'http', level: 'info', errno: '', code: 'AH01591', text, next: null },
    silent: false,
  }
}
