/**
 * Resolves when one of the promises resolves, or after `patience` milliseconds. None of the promises may
 * reject.
 */
export async function settledWithin(patience: number, promises: readonly Promise<unknown>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patience)
  })
  await Promise.race([late, ...promises])
  clearTimeout(timer)
}
