import type { TestServer } from '@gatewright/core'

/**
 * Asks for something else over and over, one turn of the event loop after the other, until a request is answered.
 * @param long the request that takes long
 * @param target what others ask for
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
