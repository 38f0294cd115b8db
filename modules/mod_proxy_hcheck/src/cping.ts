import { PlainExchange, type UpstreamConnection, UpstreamError } from '@gatewright/upstream'

/** A packet to an AJP backend with one byte of content, the code of CPING. */
const CPING = Buffer.from([0x12, 0x34, 0, 1, 10])
/** Its answer, CPONG. */
const CPONG = Buffer.from([0x41, 0x42, 0, 1, 9])

/** Asks whether a backend speaks AJP. @returns null if it does, otherwise why not */
export function cping(connection: UpstreamConnection, timeout: number): Promise<UpstreamError | null> {
  return new Promise((resolve) => {
    let answer = Buffer.alloc(0)
    const end = (error: UpstreamError | null): void => {
      exchange.abort()
      resolve(error)
    }
    const exchange = new PlainExchange(connection, timeout, {
      onData(bytes) {
        answer = Buffer.concat([answer, bytes])
        if (answer.length < CPONG.length) return
        end(answer.equals(CPONG) ? null : noAnswer())
      },
      onEnd: () => end(noAnswer()),
      onError: end,
    })
    exchange.write(CPING)
    exchange.endRequest()
  })
}

function noAnswer(): UpstreamError {
  return new UpstreamError('protocol')
}
