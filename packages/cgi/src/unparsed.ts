import type { Duplex } from 'node:stream'
import { OK, type Outcome, type Request } from '@gatewright/api'
import type { ResponseStream } from '@gatewright/upstream'

/** Sends what a script writes as it is, head included. The connection ends with it. */
export function relayUnparsed(request: Request, output: ResponseStream): Outcome {
  request.respond({ opening: '', isCounted: false, tunnel: (client) => void relay(client, output) })
  return OK
}

async function relay(client: Duplex, output: ResponseStream): Promise<void> {
  // What the client sends has no reader.
  client.resume()
  client.on('close', () => void output.return())
  try {
    for await (const chunk of output) {
      if (client.destroyed) return
      if (!client.write(chunk)) await drained(client)
    }
    client.end()
  } catch {
    client.destroy()
  }
}

function drained(client: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      client.off('drain', done)
      client.off('close', done)
      resolve()
    }
    client.on('drain', done)
    client.on('close', done)
  })
}
