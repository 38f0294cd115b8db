import type { Socket } from 'node:net'
import type { Connection } from '@gatewright/api'

/** The name under which the server knows the protocol. No client can choose it. */
export const ECHO = 'gatewright/echo'

/** Sends back what arrives, no faster than the client reads, until it closes its side or is silent for Timeout. */
export function speakEcho(socket: Socket, connection: Connection): void {
  socket.setTimeout(connection.baseServer.timeout * 1000, () => socket.destroy())
  // A reset of the client ends the connection, which is all that there is to do.
  socket.on('error', () => socket.destroy())
  socket.pipe(socket)
}
