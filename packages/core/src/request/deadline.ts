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
