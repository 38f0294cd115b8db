import type { ListenAddress } from './listen-address.ts'

/**
 * The sockets that a server passes to its successor; plain data, in which a socket is an index into the
 * descriptors.
 */
export interface SocketInventory {
  /** Number of sockets of each address. */
  readonly perAddress: number
  readonly open: readonly { readonly address: string; readonly sockets: readonly number[] }[]
  /** The sockets that a service manager bound. */
  readonly activated: readonly (ListenAddress & { readonly socket: number })[]
}

/** An inventory, and the descriptors to which it refers. */
export interface SocketLegacy {
  readonly inventory: SocketInventory
  readonly descriptors: readonly number[]
}
