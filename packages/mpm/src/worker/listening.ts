import net from 'node:net'
import type { LocalAddress } from '@gatewright/core'
import { FIRST_SOCKET } from '../roles/role-spawn.ts'

/** A socket on which listening failed. */
export interface ListenFailure {
  /** Index among the inherited sockets. */
  readonly socket: number
  readonly errno: number
}

/** Takes over a connection; `local` is its local address if that is known in advance. */
export type Accept = (socket: net.Socket, local: LocalAddress | null) => void

/** The acceptors of a worker. */
export class Listening {
  readonly #servers: net.Server[] = []

  /**
   * Listens on all inherited sockets.
   * @param accept receives each connection
   * @param onAcceptError called when a connection could not be accepted, for example because no descriptors
   * are left
   * @returns what failed; then nothing listens
   */
  async open(
    sockets: number,
    backlog: number,
    accept: Accept,
    onAcceptError: (error: Error) => void,
  ): Promise<ListenFailure | undefined> {
    const opening = Array.from({ length: sockets }, (_, socket) => this.#open(socket, backlog, accept, onAcceptError))
    const errors = await Promise.all(opening)
    const socket = errors.findIndex((error) => error !== undefined)
    if (socket < 0) return undefined
    const error = errors[socket]
    this.close()
    return { socket, errno: error !== undefined && 'errno' in error && typeof error.errno === 'number' ? -error.errno : 0 }
  }

  /** All sockets begin to listen at once, so that a client that finds one of them open is not refused by another. */
  async #open(
    socket: number,
    backlog: number,
    accept: Accept,
    onAcceptError: (error: Error) => void,
  ): Promise<Error | undefined> {
    let local: LocalAddress | null = null
    // A client may close its sending side after the request and still expects the response.
    const acceptor = net.createServer({ allowHalfOpen: true, noDelay: true }, (accepted) => accept(accepted, local))
    this.#servers.push(acceptor)
    const error = await listen(acceptor, FIRST_SOCKET + socket, backlog)
    if (error !== undefined) return error
    local = onlyAddress(acceptor)
    acceptor.on('error', onAcceptError)
    return undefined
  }

  /**
   * Stops accepting. New connections queue on the sockets, which the supervisor holds, for the next worker.
   */
  close(): void {
    for (const acceptor of this.#servers) acceptor.close()
    this.#servers.length = 0
  }
}

/** The one local address of a socket's connections; null for a socket of any address. */
function onlyAddress(acceptor: net.Server): LocalAddress | null {
  const bound = acceptor.address()
  if (bound === null || typeof bound === 'string' || bound.address === '::' || bound.address === '0.0.0.0') return null
  return { address: bound.address, port: bound.port }
}

function listen(acceptor: net.Server, fd: number, backlog: number): Promise<Error | undefined> {
  return new Promise((resolve) => {
    acceptor.once('error', resolve)
    acceptor.listen({ fd, backlog }, () => {
      acceptor.off('error', resolve)
      resolve(undefined)
    })
  })
}
