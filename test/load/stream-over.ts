import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

/** Sends bytes in another way; calls `done` when more may follow. */
export type Sending = (bytes: Buffer, done: (error?: Error | null) => void) => void

/**
 * A stream over a socket that sends in another way than it is written to.
 * @param socket with `allowHalfOpen`: what has arrived is read after the server has closed
 */
export function streamOver(socket: Socket, send: Sending): Duplex {
  const stream = new Duplex({
    read: () => void socket.resume(),
    write: (bytes: Buffer, _encoding, done) => send(bytes, done),
    final: (done) => void socket.end(done),
    destroy: (error, done) => {
      socket.destroy()
      done(error)
    },
  })
  socket.on('data', (bytes) => {
    if (!stream.push(bytes)) socket.pause()
  })
  socket.on('end', () => stream.push(null))
  socket.on('error', (error) => stream.destroy(error))
  return stream
}
