import { readdirSync } from 'node:fs'
import type { WorkerServer } from '@gatewright/core'
import type { ConnectionLimitLog } from './connection-limit-log.ts'
import type { Accept } from './listening.ts'

/** Its own, and that of the file that is sent on it: a client that takes a large answer slowly holds both. */
const DESCRIPTORS_PER_CONNECTION = 2

/** Of its descriptors a worker keeps this share for whatever else it opens for a moment, and no more than so many. */
const RESERVED_SHARE = 1 / 8
const RESERVED_MAX = 64

/** A worker has room again when so many of its connections are left. */
const RESUME_SHARE = 0.9

/**
 * Connections that a worker may have open at a time, so that it never runs out of descriptors: the system would go on to make connections, and libuv close them, unseen by the worker,
 * whoever they come from. Infinity where the system does not tell its limits.
 * @param limit descriptors of the process, as descriptorLimit finds them
 * @param open descriptors that are in use without any connection
 */
export function connectionLimit(limit: number | undefined, open: number): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY
  const kept = Math.min(RESERVED_MAX, Math.ceil(limit * RESERVED_SHARE))
  return Math.max(1, Math.floor((limit - open - kept) / DESCRIPTORS_PER_CONNECTION))
}

/** The connections of a worker, as far as room for them goes. */
export type LimitedConnections = Pick<WorkerServer, 'connections' | 'displaceFor'>

/**
 * Where there is no room for a connection, another one gives way to it that can be spared, of the client that holds most; a newcomer whose client is itself as greedy is closed as
 * soon as its connection is made. Left to itself the process would go on until it has no descriptor for anything, and fail requests of those who got in.
 */
export function acceptWithin(limit: number, server: LimitedConnections, accept: Accept, log: ConnectionLimitLog): Accept {
  let full = false
  return (socket, local) => {
    const { connections } = server
    if (connections < limit) {
      if (full && connections < limit * RESUME_SHARE) full = false
      accept(socket, local)
      return
    }
    const displaced = server.displaceFor(socket.remoteAddress ?? '')
    if (displaced !== null) {
      log.displaced(displaced)
      accept(socket, local)
      return
    }
    socket.destroy()
    if (!full) log.full(connections)
    full = true
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
