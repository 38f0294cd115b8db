import { isIP } from 'node:net'
import type { HostServices } from '@gatewright/api'
import type { ServerConfig } from './config.ts'
import type { HostMatcher } from './host-matchers.ts'

/** Why ProxyBlock refuses a host. */
export interface BlockedReason {
  readonly code: string
  readonly text: string
}

/** The hosts of ProxyBlock, which are also blocked by their addresses. As in httpd, these are those of the start. */
export class BlockedHosts {
  readonly #services: Pick<HostServices, 'addressesOf'>
  readonly #addresses: Map<string, readonly string[]>

  constructor(services: Pick<HostServices, 'addressesOf'>) {
    this.#services = services
    this.#addresses = new Map()
  }

  /** Finds the addresses of the words of a server. */
  async resolve({ blocked }: Readonly<ServerConfig>): Promise<void> {
    const words = blocked.filter(({ kind, text }) => kind === 'part' && !this.#addresses.has(text))
    await Promise.all(words.map(async ({ text }) => this.#addresses.set(text, await this.#addressesOf(text))))
  }

  /** Why a host is blocked, null if it is not. */
  async find({ blocked }: Readonly<ServerConfig>, hostname: string): Promise<BlockedReason | null> {
    return this.among(blocked, hostname, await this.#addressesOf(hostname))
  }

  async #addressesOf(name: string): Promise<readonly string[]> {
    return isIP(name) === 0 ? await this.#services.addressesOf(name) : [name]
  }

  /** The same with the addresses of the host. */
  among(blocked: readonly HostMatcher[], hostname: string, addresses: readonly string[]): BlockedReason | null {
    const name = hostname.toLowerCase()
    const refused = `connect to remote machine ${hostname} blocked:`
    for (const { kind, text } of blocked) {
      if (kind === 'any' || name.includes(text)) return { code: 'AH00916', text: `${refused} name ${text} matched` }
      const own = this.#addresses.get(text)
      const address = addresses.find((one) => own?.includes(one) === true)
      if (address !== undefined) return { code: 'AH00917', text: `${refused} IP ${address} matched` }
      // httpd blocks a word with capital letters by its addresses only.
      if (name.includes(text.toLowerCase())) return { code: 'AH00916', text: `${refused} name ${text} matched` }
    }
    return null
  }
}
