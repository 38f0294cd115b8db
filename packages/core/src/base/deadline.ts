import type { Request } from '@gatewright/api'

/** Milliseconds a hook may take where Timeout is no positive number. */
const STANDARD_TIMEOUT = 60_000

/** Milliseconds that a function of a hook may wait: the server's Timeout. */
export function deadlineOf({ server }: Request): number {
  return server.timeout > 0 ? server.timeout : STANDARD_TIMEOUT
}

/** What a promise settles to, or a rejection when it takes longer than `ms`. */
export function withDeadline<T>(waiting: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('it did not settle in time')), ms)
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
