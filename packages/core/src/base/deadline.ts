import type { Request } from '@gatewright/api'

/** Time limit of a hook in milliseconds if Timeout is not a positive number. */
const STANDARD_TIMEOUT = 60_000

/** Time limit of a hook's function in milliseconds: the server's Timeout. */
export function deadlineOf({ server }: Request): number {
  return server.timeout > 0 ? server.timeout : STANDARD_TIMEOUT
}

/** Optional behaviour of a deadline. */
export interface DeadlineRules {
  /** Makes the error. */
  readonly late?: (ms: number) => Error
  /** Whether the elapsed time was not available to the promise: then it gets the same time again. */
  readonly isExtended?: () => boolean
}

/**
 * Settles like a promise, or rejects if that takes longer than `ms`. The timer also keeps the process alive:
 * a process that only waits for a promise that never settles would end silently.
 */
export function withDeadline<T>(
  waiting: PromiseLike<T>,
  ms: number,
  { late = notInTime, isExtended = never }: DeadlineRules = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const expire = (): void => {
      if (isExtended()) timer = setTimeout(expire, ms)
      else reject(late(ms))
    }
    let timer = setTimeout(expire, ms)
    // A module may return a value of a different type than declared.
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

function never(): boolean {
  return false
}
