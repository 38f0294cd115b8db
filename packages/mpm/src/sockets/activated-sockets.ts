import { adoptSocket, type BoundSocket } from './bind-socket.ts'
import type { ListenAddress } from './listen-address.ts'

/** A socket that a service manager bound and listens on before it started this server. */
export interface ActivatedSocket extends ListenAddress {
  readonly socket: BoundSocket
}

/** The descriptor of the first of them, after the standard streams (sd_listen_fds(3)). */
const FIRST_DESCRIPTOR = 3

/**
 * The TCP sockets with which the process was started, according to LISTEN_PID and LISTEN_FDS. Both are
 * removed from the environment, because they are not meant for children. Descriptors that are not TCP sockets
 * are ignored.
 */
export function activatedSockets(env: NodeJS.ProcessEnv, pid: number): ActivatedSocket[] {
  const { LISTEN_PID: meant, LISTEN_FDS: count } = env
  delete env['LISTEN_PID']
  delete env['LISTEN_FDS']
  delete env['LISTEN_FDNAMES']
  if (meant !== String(pid) || count === undefined || !/^\d{1,4}$/.test(count)) return []
  const adopted = Array.from({ length: Number(count) }, (_, index) => adoptSocket(FIRST_DESCRIPTOR + index))
  return adopted.filter((socket) => socket !== null)
}

/**
 * The socket that serves an address: a socket for every address serves a `Listen` for every address,
 * regardless of its family.
 */
export function activatedFor(activated: readonly ActivatedSocket[], listen: ListenAddress): ActivatedSocket | undefined {
  return activated.find(
    ({ address, port }) => port === listen.port && (address === listen.address || (isAny(address) && isAny(listen.address))),
  )
}

function isAny(address: string): boolean {
  return address === '*' || address === '::' || address === '0.0.0.0'
}
