import { constants } from 'node:os'
import { type BindResult, type BoundSocket, bindSocket } from './bind-socket.ts'
import { addressText, attempts, clash, type ListenAddress } from './listen-address.ts'

/** An address that could not be bound. */
export interface BindFailure {
  readonly address: ListenAddress
  /** The Listen line that asked for it. */
  readonly listen: ListenAddress
  readonly errno: number
}

/** The families of addresses that a machine may lack. */
const NO_SUCH_FAMILY: ReadonlySet<number> = new Set([
  constants.errno.EAFNOSUPPORT,
  constants.errno.EADDRNOTAVAIL,
  constants.errno.EINVAL,
])

/**
 * The listening sockets of a server, which outlive all its workers: one per address and worker slot, so that the kernel spreads connections evenly;
 * what waits on a slot's socket waits for the slot's next worker.
 */
export class ListenSockets {
  readonly #slots: number
  readonly #open = new Map<string, readonly BoundSocket[]>()

  constructor(slots: number) {
    this.#slots = slots
  }

  /** Binds what is not bound yet. When anything fails nothing has changed, and the failures are told. */
  open(addresses: readonly ListenAddress[]): readonly BindFailure[] {
    const clashing = clash(addresses)
    if (clashing !== undefined) {
      return attempts(clashing).map((address) => ({ address, listen: clashing, errno: constants.errno.EADDRINUSE }))
    }
    const fresh = addresses.filter((address) => !this.#open.has(addressText(address)))
    const ownPorts = new Set([...this.#open.keys()].map(portOf))
    const bound: string[] = []
    for (const listen of fresh) {
      const result = this.#bindAll(listen, ownPorts.has(String(listen.port)))
      if ('failures' in result) {
        const gone = new Set(bound)
        this.#closeThose((text) => gone.has(text))
        return result.failures
      }
      this.#open.set(addressText(listen), result.sockets)
      bound.push(addressText(listen))
    }
    return []
  }

  /** The descriptors that the worker of a slot listens on, in the order of the addresses. */
  descriptors(slot: number, addresses: readonly ListenAddress[]): number[] {
    return addresses.map((address) => {
      const sockets = this.#open.get(addressText(address))
      if (sockets === undefined) throw new Error(`${addressText(address)} is not bound`)
      return sockets[slot].fd
    })
  }

  /** Closes everything but these addresses. */
  keepOnly(addresses: readonly ListenAddress[]): void {
    const kept = new Set(addresses.map(addressText))
    this.#closeThose((text) => !kept.has(text))
  }

  closeAll(): void {
    this.#closeThose(() => true)
  }

  #closeThose(unwanted: (text: string) => boolean): void {
    for (const [text, sockets] of this.#open) {
      if (!unwanted(text)) continue
      this.#open.delete(text)
      closeSockets(sockets)
    }
  }

  #bindAll(
    listen: ListenAddress,
    portIsOurs: boolean,
  ): { readonly sockets: readonly BoundSocket[] } | { readonly failures: readonly BindFailure[] } {
    const failures: BindFailure[] = []
    for (const address of attempts(listen)) {
      const result = portIsOurs ? bindSlots(address, this.#slots) : probeAndBind(address, this.#slots)
      if ('sockets' in result) return result
      failures.push({ address, listen, errno: result.errno })
    }
    const lacking = failures.length > 1 ? failures.filter(({ errno }) => !NO_SUCH_FAMILY.has(errno)) : failures
    return { failures: lacking.length > 0 ? lacking : failures }
  }
}

type SlotSockets = { readonly sockets: readonly BoundSocket[] } | { readonly errno: number }

/**
 * A shared socket may be bound beside one of another server of the same user, and would silently take half of its connections: a socket that does not
 * share finds out.
 */
function probeAndBind(address: ListenAddress, slots: number): SlotSockets {
  const probe = bindSocket(address, 'alone')
  if ('errno' in probe) return probe
  probe.socket.close()
  return bindSlots(address, slots)
}

function bindSlots(address: ListenAddress, slots: number): SlotSockets {
  const sockets: BoundSocket[] = []
  for (let slot = 0; slot < slots; slot++) {
    const result: BindResult = bindSocket(address, 'shared')
    if ('socket' in result) sockets.push(result.socket)
    else if (slot === 0 && result.errno === constants.errno.ENOTSUP) return oneForAll(address, slots)
    else {
      closeSockets(sockets)
      return result
    }
  }
  return { sockets }
}

/** Where sockets cannot share an address all slots have the same one. */
function oneForAll(address: ListenAddress, slots: number): SlotSockets {
  const result = bindSocket(address, 'alone')
  return 'errno' in result ? result : { sockets: Array.from({ length: slots }, () => result.socket) }
}

function closeSockets(sockets: readonly BoundSocket[]): void {
  for (const socket of new Set(sockets)) socket.close()
}

function portOf(text: string): string {
  return text.slice(text.lastIndexOf(':') + 1)
}
