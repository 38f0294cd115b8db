import type { Socket } from 'node:net'
import { setTimeout as later } from 'node:timers'
import type { Sending } from './client-proxy.ts'

/** Bytes of each piece, and milliseconds between two of them. */
const PIECE = 200
const APART = 25

/** Sends the first bytes, as many as a handshake has, in small pieces with pauses. */
export function slowAtFirst(server: Socket, slowBytes: number): Sending {
  let left = slowBytes
  const send: Sending = (bytes, done) => {
    if (left <= 0 || bytes.length === 0) {
      server.write(bytes, done)
      return
    }
    const piece = bytes.subarray(0, PIECE)
    left -= piece.length
    server.write(piece, (error) => {
      if (error) done(error)
      else later(() => send(bytes.subarray(piece.length), done), APART)
    })
  }
  return send
}
