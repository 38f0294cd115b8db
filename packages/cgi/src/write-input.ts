import { PlainExchange, type UpstreamConnection } from '@gatewright/upstream'

/** Writes a body to the standard input of a program, at its pace, and closes it. @throws the errors of the body */
export async function writeInput(input: UpstreamConnection, body: AsyncIterable<Uint8Array>, timeout: number): Promise<void> {
  const ignored = (): void => {}
  const exchange = new PlainExchange(input, timeout, { onData: ignored, onEnd: ignored, onError: ignored })
  try {
    await exchange.sendBody(body)
    if (!exchange.isDone) input.end()
  } catch (error) {
    exchange.abort()
    throw error
  }
}
