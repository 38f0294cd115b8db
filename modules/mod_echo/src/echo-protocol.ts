import type { SpokenConnection } from '@gatewright/api'

/** The name under which the server knows the protocol. No client can choose it. */
export const ECHO = 'gatewright/echo'

/** Milliseconds, where Timeout is 0. */
const STANDARD_TIMEOUT = 60_000

/** Sends back what arrives, no faster than the client reads, until it closes its side or is silent for Timeout. */
export function speakEcho({ connection, stream }: Pick<SpokenConnection, 'connection' | 'stream'>): void {
  const { timeout } = connection.baseServer
  const silence = setTimeout(() => stream.destroy(), timeout > 0 ? timeout : STANDARD_TIMEOUT)
  stream.on('data', () => silence.refresh())
  stream.on('close', () => clearTimeout(silence))
  // A reset of the client ends the connection, which is all that there is to do.
  stream.on('error', () => stream.destroy())
  stream.pipe(stream)
}
