import type { ListenAddress } from './listen-address.ts'

/** The sockets of a server as it leaves them to its successor; plain data, in which a socket is its place among the descriptors. */
export interface SocketInventory {
  /** How many sockets each address has. */
  readonly perAddress: number
  readonly open: readonly { readonly address: string; readonly sockets: readonly number[] }[]
  /** Those that a service manager bound. */
  readonly activated: readonly (ListenAddress & { readonly socket: number })[]
}

/** An inventory, and the descriptors that it counts. */
export interface SocketLegacy {
  readonly inventory: SocketInventory
  readonly descriptors: readonly number[]
}
