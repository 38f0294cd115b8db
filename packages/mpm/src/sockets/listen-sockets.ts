import { constants } from 'node:os'
import { type ActivatedSocket, activatedFor } from './activated-sockets.ts'
import { type BindResult, type BoundSocket, bindSocket } from './bind-socket.ts'
import { addressText, attempts, clash, type ListenAddress } from './listen-address.ts'
import type { SocketInventory, SocketLegacy } from './socket-inventory.ts'

/** An address that could not be bound. */
export interface BindFailure {
  readonly address: ListenAddress
  /** The Listen line of the address. */
  readonly listen: ListenAddress
  readonly errno: number
}

/** The address families that a machine may lack. */
const NO_SUCH_FAMILY: ReadonlySet<number> = new Set([
  constants.errno.EAFNOSUPPORT,
  constants.errno.EADDRNOTAVAIL,
  constants.errno.EINVAL,
])

/**
 * The listening sockets of a server, which outlive all its workers. Each address has one socket per worker,
 * so that the kernel distributes connections evenly; a connection that waits on a socket waits for the next
 * worker with this socket. A socket that has listened is never closed while its address is in use, because
 * its pending connections would be lost: if there are fewer workers, each takes several sockets.
 */
export class ListenSockets {
  readonly #activated: readonly ActivatedSocket[]
  readonly #open = new Map<string, readonly BoundSocket[]>()
  #perAddress = 0

  /**
   * @param activated sockets that a service manager bound; their addresses are not bound again, and all
   * workers share them
   */
  constructor(activated: readonly ActivatedSocket[]) {
    this.#activated = activated
  }

  /** Takes over the sockets of another process. @param sockets in the order of its descriptors */
  static inherited({ activated, open, perAddress }: SocketInventory, sockets: readonly BoundSocket[]): ListenSockets {
    const inherited = new ListenSockets(activated.map((each) => ({ ...each, socket: sockets[each.socket] })))
    for (const { address, sockets: places } of open)
      inherited.#open.set(
        address,
        places.map((place) => sockets[place]),
      )
    inherited.#perAddress = perAddress
    return inherited
  }

  /** What a process that inherits the descriptors needs to know. */
  legacy(): SocketLegacy {
    const all = new Set([...this.#activated.map(({ socket }) => socket), ...[...this.#open.values()].flat()])
    const descriptors = [...all].map(({ fd }) => fd)
    const place = ({ fd }: BoundSocket): number => descriptors.indexOf(fd)
    return {
      descriptors,
      inventory: {
        perAddress: this.#perAddress,
        open: [...this.#open].map(([address, sockets]) => ({ address, sockets: sockets.map(place) })),
        activated: this.#activated.map((each) => ({ ...each, socket: place(each.socket) })),
      },
    }
  }

  /** Number of sockets of each address. */
  get perAddress(): number {
    return this.#perAddress
  }

  /**
   * Binds what is not bound yet, with at least one socket for each worker. If anything fails, nothing
   * changes, and the failures are returned.
   * @param workers from 1
   */
  open(addresses: readonly ListenAddress[], workers: number): readonly BindFailure[] {
    const clashing = clash(addresses)
    if (clashing !== undefined) {
      return attempts(clashing).map((address) => ({ address, listen: clashing, errno: constants.errno.EADDRINUSE }))
    }
    const wanted = Math.max(workers, this.#perAddress)
    const ownPorts = new Set([...this.#open.keys()].map(portOf))
    const bound = new Map<string, readonly BoundSocket[]>()
    for (const listen of addresses) {
      const known = this.#open.get(addressText(listen)) ?? []
      const result = this.#bindMore(listen, known, wanted, ownPorts.has(String(listen.port)))
      if ('failures' in result) {
        for (const [text, sockets] of bound) closeOnly(sockets, this.#open.get(text) ?? [])
        return result.failures
      }
      bound.set(addressText(listen), result.sockets)
    }
    for (const [text, sockets] of bound) this.#open.set(text, sockets)
    this.#perAddress = wanted
    return []
  }

  /**
   * The descriptors on which one of several workers listens: its sockets of all addresses in the order of the
   * addresses, repeated if it has several of each.
   * @param among how many sockets of each address the workers share
   */
  descriptors(slot: number, workers: number, among: number, addresses: readonly ListenAddress[]): number[] {
    const found: number[] = []
    for (let index = slot; index < among; index += workers) {
      for (const address of addresses) {
        const socket = this.#open.get(addressText(address))?.[index]
        if (socket === undefined) throw new Error(`${addressText(address)} is not bound`)
        found.push(socket.fd)
      }
    }
    return found
  }

  /** Closes everything except these addresses, and the sockets that none of the remaining workers share. */
  keepOnly(addresses: readonly ListenAddress[], perAddress: number): void {
    const kept = new Set(addresses.map(addressText))
    for (const [text, sockets] of this.#open) {
      const rest = kept.has(text) ? sockets.slice(0, perAddress) : []
      closeOnly(sockets, rest)
      if (rest.length > 0) this.#open.set(text, rest)
      else this.#open.delete(text)
    }
    this.#perAddress = Math.min(this.#perAddress, perAddress)
  }

  closeAll(): void {
    this.keepOnly([], 0)
  }

  #bindMore(
    listen: ListenAddress,
    known: readonly BoundSocket[],
    wanted: number,
    portIsOurs: boolean,
  ): { readonly sockets: readonly BoundSocket[] } | { readonly failures: readonly BindFailure[] } {
    if (known.length >= wanted) return { sockets: known }
    const given = activatedFor(this.#activated, listen)
    if (given !== undefined) return { sockets: Array.from({ length: wanted }, () => given.socket) }
    const failures: BindFailure[] = []
    for (const address of attempts(listen)) {
      const result = portIsOurs ? bindSlots(address, known, wanted) : probeAndBind(address, wanted)
      if ('sockets' in result) return result
      failures.push({ address, listen, errno: result.errno })
    }
    const lacking = failures.length > 1 ? failures.filter(({ errno }) => !NO_SUCH_FAMILY.has(errno)) : failures
    return { failures: lacking.length > 0 ? lacking : failures }
  }
}

type SlotSockets = { readonly sockets: readonly BoundSocket[] } | { readonly errno: number }

/**
 * A shared socket could be bound next to one of another server of the same user, and would silently take half
 * of its connections: binding a socket that does not share detects this.
 */
function probeAndBind(address: ListenAddress, wanted: number): SlotSockets {
  const probe = bindSocket(address, 'alone')
  if ('errno' in probe) return probe
  probe.socket.close()
  return bindSlots(address, [], wanted)
}

function bindSlots(address: ListenAddress, known: readonly BoundSocket[], wanted: number): SlotSockets {
  const sockets = [...known]
  while (sockets.length < wanted) {
    const result: BindResult = bindSocket(address, 'shared')
    if ('socket' in result) sockets.push(result.socket)
    else if (result.errno === constants.errno.ENOTSUP) return oneForAll(address, known, wanted)
    else {
      closeOnly(sockets, known)
      return result
    }
  }
  return { sockets }
}

/** If sockets cannot share an address, all workers use the same socket. */
function oneForAll(address: ListenAddress, known: readonly BoundSocket[], wanted: number): SlotSockets {
  const result: BindResult = known.length > 0 ? { socket: known[0] } : bindSocket(address, 'alone')
  return 'errno' in result ? result : { sockets: Array.from({ length: wanted }, () => result.socket) }
}

/** Closes the sockets that are not kept; a socket may occur several times. */
function closeOnly(sockets: readonly BoundSocket[], kept: readonly BoundSocket[]): void {
  const rest = new Set(kept)
  for (const socket of new Set(sockets)) if (!rest.has(socket)) socket.close()
}

function portOf(text: string): string {
  return text.slice(text.lastIndexOf(':') + 1)
}
