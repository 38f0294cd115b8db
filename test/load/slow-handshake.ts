import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { setTimeout as later } from 'node:timers'

/** Bytes of each piece, and milliseconds between two of them. */
const PIECE = 200
const APART = 25

/**
 * A stream over a socket whose first bytes, as many as a handshake has, are sent in small pieces with pauses.
 * @param socket with `allowHalfOpen`: what has arrived is read after the server has closed
 */
export function slowAtFirst(socket: Socket, slowBytes: number): Duplex {
  let left = slowBytes
  const write = (bytes: Buffer, done: (error?: Error | null) => void): void => {
    if (left <= 0 || bytes.length === 0) {
      socket.write(bytes, done)
      return
    }
    const piece = bytes.subarray(0, PIECE)
    left -= piece.length
    socket.write(piece, (error) => {
      if (error) done(error)
      else later(() => write(bytes.subarray(piece.length), done), APART)
    })
  }
  const stream = new Duplex({
    read: () => void socket.resume(),
    write: (bytes: Buffer, _encoding, done) => write(bytes, done),
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
