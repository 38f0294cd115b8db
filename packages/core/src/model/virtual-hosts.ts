import { type FnmatchMatcher, fnmatch } from '@gatewright/expr'
import type { ServerRecord } from './server-record.ts'

/** The servers that one local address and port select, in file order. */
export interface AddressHosts {
  /** Serves requests if no name matches. */
  readonly first: ServerRecord
  /** Empty if the main server alone serves the address. */
  readonly named: readonly NamedHost[]
}

interface NamedHost {
  readonly server: ServerRecord
  /** Lower case. */
  readonly names: ReadonlySet<string>
  readonly wild: readonly FnmatchMatcher[]
}

/** Finds the virtual host of a connection's address, and of a request's name. */
export class VirtualHostTable {
  readonly #main: ServerRecord
  readonly #hosts: readonly ServerRecord[]
  /** By port, then by address, so that no connection needs a composite key. */
  readonly #known = new Map<number, Map<string, AddressHosts>>()

  constructor(main: ServerRecord, hosts: readonly ServerRecord[]) {
    this.#main = main
    this.#hosts = hosts
  }

  /** An exact address and port take precedence over an exact address, then `*` with the port, then `*`. */
  forAddress(address: string, port: number): AddressHosts {
    let byAddress = this.#known.get(port)
    if (byAddress === undefined) {
      byAddress = new Map()
      this.#known.set(port, byAddress)
    }
    let hosts = byAddress.get(address)
    if (hosts === undefined) {
      hosts = this.#select(address, port)
      byAddress.set(address, hosts)
    }
    return hosts
  }

  #select(address: string, port: number): AddressHosts {
    const sets: [string, number][] = [
      [address, port],
      [address, 0],
      ['*', port],
      ['*', 0],
    ]
    for (const [wantedAddress, wantedPort] of sets) {
      const set = this.#hosts.filter(({ addresses }) =>
        addresses.some((one) => withoutZone(one.address) === wantedAddress && one.port === wantedPort),
      )
      if (set.length > 0) return { first: set[0], named: set.map(describe) }
    }
    return { first: this.#main, named: [] }
  }
}

/** Whether a name matches an alias with wildcards. */
export function isMatched(alias: string, hostname: string): boolean {
  return fnmatch(alias).matches(hostname)
}

/** Sockets report their local address without its zone. */
function withoutZone(address: string): string {
  const percent = address.indexOf('%')
  return percent < 0 ? address : address.slice(0, percent)
}

function describe(server: ServerRecord): NamedHost {
  const { serverName, serverAliases, wildAliases } = server.core
  const names = new Set<string>(serverAliases)
  if (serverName !== undefined) names.add(serverName.name.toLowerCase())
  return { server, names, wild: wildAliases.map((alias) => fnmatch(alias)) }
}

/**
 * The server for a name. Tests each host in turn, exact names before wildcards, then takes the first host
 * whose `<VirtualHost>` line has the name; undefined if none has it.
 * @param hostname lower case, without port and trailing dot
 */
export function hostForName(hosts: AddressHosts, hostname: string): ServerRecord | undefined {
  for (const { server, names, wild } of hosts.named) {
    if (names.has(hostname) || wild.some((alias) => alias.matches(hostname))) return server
  }
  return hosts.named.find(({ server }) => server.addresses.some(({ name }) => name.toLowerCase() === hostname))?.server
}

/**
 * Whether a URL with this name and port refers to the server: an address of its `<VirtualHost>` line is
 * written that way, or the port is that of its ServerName and the name is the ServerName or an alias.
 * @param hostname lower case
 */
export function hasName(server: ServerRecord, hostname: string, port: number): boolean {
  for (const { name, port: own } of server.addresses) {
    if ((own === 0 || own === port) && name.toLowerCase() === hostname) return true
  }
  if (server.serverPort !== port) return false
  const { names, wild } = describe(server)
  return names.has(hostname) || wild.some((alias) => alias.matches(hostname))
}

/** The server whose ServerPath is a prefix of the URI, for clients that do not send Host. */
export function hostForPath(hosts: AddressHosts, uri: string): ServerRecord | undefined {
  return hosts.named.find(({ server }) => isBelowServerPath(server, uri))?.server
}

/** True if the URI is the server's ServerPath or lies below it. */
export function isBelowServerPath(server: ServerRecord, uri: string): boolean {
  const path = server.core.serverPath
  return (
    path !== undefined && uri.startsWith(path) && (path.endsWith('/') || uri.length === path.length || uri[path.length] === '/')
  )
}
