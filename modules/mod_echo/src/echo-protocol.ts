import type { SpokenConnection } from '@gatewright/api'

/** The name under which the server knows the protocol. No client can choose it. */
export const ECHO = 'gatewright/echo'

/** Sends back what arrives, no faster than the client reads, until it closes its side or is silent for Timeout. */
export function speakEcho({ connection, stream }: Pick<SpokenConnection, 'connection' | 'stream'>): void {
  const silence = setTimeout(() => stream.destroy(), connection.baseServer.timeout * 1000)
  stream.on('data', () => silence.refresh())
  stream.on('close', () => clearTimeout(silence))
  // A reset of the client ends the connection, which is all that there is to do.
  stream.on('error', () => stream.destroy())
  stream.pipe(stream)
}
