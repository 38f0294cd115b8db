import type { Exchange } from '@gatewright/http'

/** The chunks of a request body, at the pace of whoever reads them. */
export async function* bodyChunks(exchange: Exchange): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = []
  let ended = false
  let failure: Error | null = null
  let wake: (() => void) | null = null
  const notify = (): void => {
    wake?.()
    wake = null
  }
  exchange.readBody({
    onData: (chunk) => {
      chunks.push(chunk)
      notify()
      return 'pause'
    },
    onEnd: () => {
      ended = true
      notify()
    },
    onError: (refusal) => {
      failure = new Error(`the request body is refused with ${refusal.status}`)
      notify()
    },
  })
  for (;;) {
    const chunk = chunks.shift()
    if (chunk !== undefined) {
      yield chunk
      exchange.resumeBody()
      continue
    }
    if (failure !== null) throw failure
    if (ended || exchange.aborted) return
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
}
