/** Resolves when one of the promises does, none of which rejects, or after `patience` milliseconds. */
export async function settledWithin(patience: number, promises: readonly Promise<unknown>[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patience)
  })
  await Promise.race([late, ...promises])
  clearTimeout(timer)
}
