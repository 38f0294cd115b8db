import { isIP } from 'node:net'
import type { Plan } from '@gatewright/core'

/** The address and port to which the client of a question connects, as far as they are specified. */
export interface WantedEnd {
  /** Null: the loopback address of the client's family, or else a listening address. */
  readonly address: string | null
  readonly port: number | null
  /** False for the port that merely belongs to the scheme of a URL. */
  readonly isPortWritten: boolean
  readonly client: string
}

/** Address and port that a client connects to. */
export interface LocalEnd {
  readonly address: string
  readonly port: number
  /** Why this port was chosen, if the question does not specify it; otherwise ''. */
  readonly note: string
}

/**
 * The address and port to which the client of a question connects. They select the virtual host, so a port on
 * which the server does not listen is never assumed: if there is only one port, it is used, with a note; if
 * there are several, the question must specify one.
 * @returns a complaint if the question must specify more
 */
export function localEnd(listeners: Plan['listeners'], wanted: WantedEnd): LocalEnd | { readonly complaint: string } {
  const ports = [...new Set(listeners.map(({ port }) => port))]
  const found = choosePort(ports, wanted)
  if ('complaint' in found) return found
  return { ...found, address: wanted.address ?? chooseAddress(listeners, found.port, wanted.client) }
}

function choosePort(
  ports: readonly number[],
  { port, isPortWritten }: WantedEnd,
): Omit<LocalEnd, 'address'> | { readonly complaint: string } {
  const [first] = ports
  if (first === undefined) return { port: port ?? 80, note: '' }
  if (port === null)
    return {
      port: first,
      note: ports.length === 1 ? '' : `port ${first} is the first of the ports ${list(ports)} that the server listens on`,
    }
  if (ports.includes(port)) return { port, note: '' }
  if (isPortWritten || ports.length > 1)
    return {
      complaint: `no Listen line has port ${port}: the server listens on ${list(ports)}. Specify the port to which the client connects`,
    }
  return {
    port: first,
    note: `no Listen line has port ${port}: the request comes to port ${first}, the only one that the server listens on`,
  }
}

/**
 * An address on which the server listens: the loopback address if possible, because clients connect from
 * there by default.
 */
function chooseAddress(listeners: Plan['listeners'], port: number, client: string): string {
  const family = isIP(client) === 6 ? 6 : 4
  const loopback = family === 6 ? '::1' : '127.0.0.1'
  const addresses = listeners.filter((one) => one.port === port).map(({ address }) => address)
  if (addresses.length === 0 || addresses.some((address) => address === '*' || address === loopback || isAny(address)))
    return loopback
  return addresses.find((address) => isIP(address) === family) ?? loopback
}

function isAny(address: string): boolean {
  return address === '0.0.0.0' || address === '::'
}

function list(ports: readonly number[]): string {
  return ports.length === 1 ? String(ports[0]) : `${ports.slice(0, -1).join(', ')} and ${ports.at(-1)}`
}
