import type { TestServer } from '@gatewright/core'

/**
 * Sends other requests repeatedly, one per turn of the event loop, until a request is answered.
 * @param long the slow request
 * @param target the target of the other requests
 * @returns the status of each answer to the others, in order
 */
export async function servedMeanwhile(
  { inject }: Pick<TestServer, 'inject'>,
  long: Promise<unknown>,
  target: string,
): Promise<number[]> {
  let isOver = false
  const end = (): void => {
    isOver = true
  }
  long.then(end, end)
  const served: number[] = []
  for (;;) {
    const { status } = await inject(target)
    if (isOver) return served
    served.push(status)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
