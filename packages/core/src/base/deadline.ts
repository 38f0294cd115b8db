import type { Request } from '@gatewright/api'

/** Milliseconds that a hook may take if Timeout is not a positive number. */
const STANDARD_TIMEOUT = 60_000

/** Milliseconds that a function of a hook may wait: the server's Timeout. */
export function deadlineOf({ server }: Request): number {
  return server.timeout > 0 ? server.timeout : STANDARD_TIMEOUT
}

/** What may differ about a deadline. */
export interface DeadlineRules {
  /** Makes the error. */
  readonly late?: (ms: number) => Error
  /** True when the time that has passed is not that of the promise: it gets the same time once more. */
  readonly isExtended?: () => boolean
}

/**
 * What a promise settles to, or a rejection when it takes longer than `ms`. The timer also keeps the process
 * alive: one whose only work is a promise that never settles would end silently.
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

function never(): boolean {
  return false
}
