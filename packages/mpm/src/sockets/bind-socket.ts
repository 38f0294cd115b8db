import net from 'node:net'
import type { ListenAddress } from './listen-address.ts'

/** A socket that is bound and does not listen: the processes that inherit its descriptor listen. */
export interface BoundSocket {
  readonly fd: number
  close(): void
}

/** Whether other sockets of this user may have the same address. */
export type Sharing = 'alone' | 'shared'

/** Positive, as numbered by the system. */
export type BindResult = { readonly socket: BoundSocket } | { readonly errno: number }

/**
 * Binds a stream socket. This file is the only one that uses an undocumented part of Node:
 * `net._createServerHandle`, which Node's cluster module uses, creates a handle that is only bound. There is
 * no public function for that.
 */
export function bindSocket({ address, port }: ListenAddress, sharing: Sharing): BindResult {
  const handle = createHandle(address, port, address.includes(':') ? 6 : 4, -1, sharing === 'shared' ? UV_TCP_REUSEPORT : 0)
  if (typeof handle === 'number') return { errno: -handle }
  // libuv withholds "address in use" until the next call on the socket.
  const status = handle.getsockname({})
  if (status !== 0) {
    handle.close()
    return { errno: -status }
  }
  return { socket: handle }
}

/**
 * Takes over a TCP socket that this process inherited.
 * @returns null if the descriptor is not a TCP socket
 */
export function adoptSocket(fd: number): (ListenAddress & { readonly socket: BoundSocket }) | null {
  try {
    const handle = createHandle(null, 0, -1, fd)
    if (typeof handle === 'number') return null
    const name: { address?: unknown; port?: unknown } = {}
    const status = handle.getsockname(name)
    if (status !== 0 || typeof name.address !== 'string' || typeof name.port !== 'number') return null
    return { address: name.address, port: name.port, socket: handle }
  } catch {
    // A descriptor of another kind, or none at all.
    return null
  }
}

/** The part of Node's internal handle that is used. */
interface SocketHandle {
  readonly fd: number
  getsockname(out: object): number
  close(): void
}

/** libuv's flag for SO_REUSEPORT (uv.h). */
const UV_TCP_REUSEPORT = 2

function createHandle(
  ...args: readonly [address: string | null, port: number, family: 4 | 6 | -1, fd: number, flags?: number]
): SocketHandle | number {
  const create: unknown = Reflect.get(net, '_createServerHandle')
  if (typeof create !== 'function')
    throw new Error('this Node has no net._createServerHandle: sockets cannot be bound without listening')
  const made: unknown = create(...args)
  if (typeof made === 'number') return made
  if (!isHandle(made)) throw new Error('net._createServerHandle of this Node does not return a socket handle')
  return made
}

function isHandle(value: unknown): value is SocketHandle {
  return (
    typeof value === 'object' &&
    value !== null &&
    'fd' in value &&
    typeof value.fd === 'number' &&
    'getsockname' in value &&
    typeof value.getsockname === 'function' &&
    'close' in value &&
    typeof value.close === 'function'
  )
}
