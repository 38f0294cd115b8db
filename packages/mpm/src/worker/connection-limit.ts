import { readdirSync } from 'node:fs'
import type { WorkerServer } from '@gatewright/core'
import type { ConnectionLimitLog } from './connection-limit-log.ts'
import type { Accept } from './listening.ts'

/**
 * One for the connection, and one for the file that is sent on it: a client that receives a large response
 * slowly holds both.
 */
const DESCRIPTORS_PER_CONNECTION = 2

/**
 * The share of its descriptors, up to a maximum, that a worker reserves for other files that it opens
 * briefly.
 */
const RESERVED_SHARE = 1 / 8
const RESERVED_MAX = 64

/** A worker counts as below its limit again at this share of the limit. */
const RESUME_SHARE = 0.9

/**
 * The maximum number of connections that a worker may have open, so that it never runs out of descriptors:
 * otherwise the system would continue to establish connections and libuv would close them unseen by the
 * worker, regardless of their source. Infinity if the system does not report its limits.
 * @param limit descriptors of the process, see descriptorLimit
 * @param open descriptors that are in use without any connection
 */
export function connectionLimit(limit: number | undefined, open: number): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY
  const kept = Math.min(RESERVED_MAX, Math.ceil(limit * RESERVED_SHARE))
  return Math.max(1, Math.floor((limit - open - kept) / DESCRIPTORS_PER_CONNECTION))
}

/** The part of a worker server that the limit concerns. */
export type LimitedConnections = Pick<WorkerServer, 'connections' | 'displaceFor'>

/**
 * At the limit, a new connection displaces a dispensable connection of the client that holds most; if the new
 * client itself holds most, its connection is closed immediately. Without this, the process would run out of
 * descriptors entirely, and requests that were already accepted would fail.
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

/** Number of open descriptors of this process; 0 if the system does not report it. */
export function openDescriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return 0
  }
}
