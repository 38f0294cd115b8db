import type { Body } from '@gatewright/api'

/** Closes a body that is not sent: a stream may hold a file or a connection. */
export function discardBody(body: Body | null): void {
  if (body !== null && typeof body === 'object' && Symbol.asyncIterator in body) discardStream(body)
}

/** Like `discardBody`, for a stream. */
export function discardStream(stream: AsyncIterable<unknown>): void {
  try {
    endIterator(stream[Symbol.asyncIterator]())
  } catch {
    // Errors of its source are ignored, because the body is not used.
  }
}

/** Ends an iterator without waiting for it, because its source may never respond. */
export function endIterator(iterator: AsyncIterator<unknown>): void {
  try {
    iterator.return?.().then(undefined, () => undefined)
  } catch {
    // See `discardStream`.
  }
}
