import { readdirSync } from 'node:fs'
import type { Accept } from './listening.ts'

/** Of its descriptors a worker keeps this share for the files that requests need, and no more than so many. */
const KEPT_SHARE = 1 / 8
const KEPT_MOST = 1024

/** A worker has room again when so many of its connections are left. */
const ROOM_AGAIN = 0.9

/**
 * Connections that a worker may have open at a time, so that the requests on them find descriptors for files; Infinity where the system does not tell its limits.
 * @param limit descriptors of the process, as descriptorLimit finds them
 * @param open descriptors that are in use without any connection
 */
export function connectionRoom(limit: number | undefined, open: number): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY
  return Math.max(1, limit - open - Math.min(KEPT_MOST, Math.ceil(limit * KEPT_SHARE)))
}

/**
 * Closes connections that there is no room for as soon as they are made. Left to itself the process would go on until it has no descriptor for anything, and fail requests of those
 * who got in.
 * @param connections how many there are now
 * @param log told once whenever the room has come to its end
 */
export function acceptWithin(room: number, connections: () => number, accept: Accept, log: (text: string) => void): Accept {
  let full = false
  return (socket, local) => {
    const open = connections()
    if (open < room) {
      if (full && open < room * ROOM_AGAIN) full = false
      accept(socket, local)
      return
    }
    socket.destroy()
    if (full) return
    full = true
    log(
      `${open} connections are open, as many as this process has descriptors for; further ones are closed: raise the limit before the start, with 'ulimit -n 65536' or LimitNOFILE of the service`,
    )
  }
}

/** Descriptors of this process; 0 where the system does not tell. */
export function openDescriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return 0
  }
}
