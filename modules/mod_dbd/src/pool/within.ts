/** An operation that took longer than it may. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut'
}

/**
 * The result of an operation that ends in time; rejects with {@link TimedOut} otherwise, after `late` was called. What the
 * operation comes to afterwards is passed to `discard`.
 * @param limit milliseconds
 */
export function within<T>(
  operation: Promise<T>,
  limit: number,
  late: () => void,
  discard: (result: T) => void = () => undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let isOver = false
    const timer = setTimeout(() => {
      isOver = true
      late()
      reject(new TimedOut(`no answer within ${limit / 1000} s`))
    }, limit)
    operation.then(
      (result) => {
        if (isOver) return discard(result)
        clearTimeout(timer)
        resolve(result)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
