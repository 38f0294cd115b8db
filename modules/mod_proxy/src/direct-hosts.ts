import { isIP } from 'node:net'
import type { HostServices, MaybePromise } from '@gatewright/api'
import type { ServerConfig } from './config.ts'
import { isDirect } from './host-matchers.ts'

/** The hosts of NoProxy: a network includes the names that have an address in it. */
export class DirectHosts {
  readonly #services: Pick<HostServices, 'addressesOf'>

  constructor(services: Pick<HostServices, 'addressesOf'>) {
    this.#services = services
  }

  /** Whether a host is asked without a remote proxy. */
  includes({ direct }: Readonly<ServerConfig>, hostname: string): MaybePromise<boolean> {
    if (isDirect(direct, hostname)) return true
    if (isIP(hostname) !== 0 || !direct.some(({ kind }) => kind === 'network')) return false
    return this.#services.addressesOf(hostname).then((addresses) => addresses.some((address) => isDirect(direct, address)))
  }
}
