import type { Request } from '@gatewright/api'

/** Milliseconds a hook may take where Timeout is no positive number. */
const STANDARD_TIMEOUT = 60_000

/** Milliseconds that a function of a hook may wait: the server's Timeout. */
export function deadlineOf({ server }: Request): number {
  return server.timeout > 0 ? server.timeout : STANDARD_TIMEOUT
}

/**
 * What a promise settles to, or a rejection when it takes longer than `ms`. The timer also keeps the process
 * alive: one whose only work is a promise that never settles would end silently.
 * @param late makes the error
 * @param isExtended true when the time that has passed is not that of the promise: it gets the same time once
 * more
 */
export function withDeadline<T>(
  waiting: PromiseLike<T>,
  ms: number,
  late: (ms: number) => Error = notInTime,
  isExtended: () => boolean = never,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const expire = (): void => {
      if (isExtended()) timer = setTimeout(expire, ms)
      else reject(late(ms))
    }
    let timer = setTimeout(expire, ms)
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

/** The error about a promise that did not settle. */
export function notInTime(ms: number): Error {
  return new Error(`it did not settle within ${ms / 1000} s`)
}

function never(): boolean {
  return false
}
