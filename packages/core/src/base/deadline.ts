import type { Request } from '@gatewright/api'

/** Milliseconds a hook may take where Timeout is no positive number. */
const STANDARD_TIMEOUT = 60_000

/** Milliseconds that a function of a hook may wait: the server's Timeout. */
export function deadlineOf({ server }: Request): number {
  return server.timeout > 0 ? server.timeout : STANDARD_TIMEOUT
}

/**
 * What a promise settles to, or a rejection when it takes longer than `ms`. The timer also keeps the process alive: one whose only work is a promise that never settles
 * would end silently.
 * @param late makes the error
 */
export function withDeadline<T>(waiting: PromiseLike<T>, ms: number, late: (ms: number) => Error = notInTime): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late(ms)), ms)
    // What a module returns need not be what its type says.
    Promise.resolve(waiting).then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

function notInTime(ms: number): Error {
  return new Error(`it did not settle within ${ms / 1000} s`)
}
