import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as later } from 'node:timers'
import { type Sending, streamOver } from './stream-over.ts'

/** Bytes of each piece, and milliseconds between two of them. */
const PIECE = 200
const APART = 25

/** A stream over a socket, as `streamOver`, whose first bytes, as many as a handshake has, are sent in small pieces with pauses. */
export function slowAtFirst(socket: Socket, slowBytes: number): Duplex {
  let left = slowBytes
  const send: Sending = (bytes, done) => {
    if (left <= 0 || bytes.length === 0) {
      socket.write(bytes, done)
      return
    }
    const piece = bytes.subarray(0, PIECE)
    left -= piece.length
    socket.write(piece, (error) => {
      if (error) done(error)
      else later(() => send(bytes.subarray(piece.length), done), APART)
    })
  }
  return streamOver(socket, send)
}
