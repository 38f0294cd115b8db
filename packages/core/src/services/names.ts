import { lookup, Resolver } from 'node:dns/promises'
import { readFileSync, statSync } from 'node:fs'

/** How long a name server may take, in milliseconds. */
const TIMEOUT = 5000

/** The hosts file by address and by name, parsed again when it changes. */
class HostsFile {
  private mtime = -1
  private byAddress = new Map<string, string>()
  private byName = new Map<string, string[]>()

  nameOf(address: string): string | undefined {
    this.refresh()
    return this.byAddress.get(address)
  }

  addressesOf(name: string): readonly string[] {
    this.refresh()
    return this.byName.get(name.toLowerCase()) ?? []
  }

  private refresh(): void {
    let text: string
    try {
      const { mtimeMs } = statSync('/etc/hosts')
      if (mtimeMs === this.mtime) return
      this.mtime = mtimeMs
      text = readFileSync('/etc/hosts', 'latin1')
    } catch {
      return
    }
    this.byAddress = new Map()
    this.byName = new Map()
    for (const line of text.split('\n')) {
      const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
      if (names.length === 0) continue
      if (!this.byAddress.has(address)) this.byAddress.set(address, names[0].toLowerCase())
      for (const name of names) this.byName.set(name.toLowerCase(), [...(this.byName.get(name.toLowerCase()) ?? []), address])
    }
  }
}

/** Looks up names of clients: the hosts file first, then name servers through c-ares, which has threads of nobody. */
export class NameService {
  private readonly hosts = new HostsFile()
  private readonly resolver: Resolver

  /** @param servers name servers to ask instead of the system's, for tests */
  constructor(servers?: readonly string[]) {
    this.resolver = new Resolver({ timeout: TIMEOUT, tries: 1 })
    if (servers !== undefined) this.resolver.setServers(servers)
  }

  /**
   * The client's name by double reverse lookup: address to name, and one of the name's addresses has to be the client's. Lower case; null when either
   * step fails. A promise only when a name server has to be asked.
   */
  verifiedNameOf(address: string): string | null | Promise<string | null> {
    const name = this.hosts.nameOf(address)
    if (name !== undefined) return this.hosts.addressesOf(name).includes(address) ? name : null
    return this.askForName(address)
  }

  /** What the address is said to be called, which nobody has proved. Lower case; null when there is no name. */
  reportedNameOf(address: string): string | null | Promise<string | null> {
    return (
      this.hosts.nameOf(address) ??
      this.resolver.reverse(address).then(
        ([name]) => name?.toLowerCase() ?? null,
        () => null,
      )
    )
  }

  private async askForName(address: string): Promise<string | null> {
    try {
      const names = await this.resolver.reverse(address)
      for (const name of names) {
        const lower = name.toLowerCase()
        if ((await this.addressesOf(lower)).includes(address)) return lower
      }
    } catch {
      // No name is an answer, not an error.
    }
    return null
  }

  /** All addresses of a name; empty when there is none. */
  async addressesOf(name: string): Promise<readonly string[]> {
    const known = this.hosts.addressesOf(name)
    if (known.length > 0) return known
    const found = await Promise.allSettled([this.resolver.resolve4(name), this.resolver.resolve6(name)])
    const addresses = found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    if (addresses.length > 0 || !/^[\d.:a-f]+$/i.test(name)) return addresses
    // An address literal is its own address.
    return (await lookup(name, { all: true })).map(({ address }) => address)
  }
}
