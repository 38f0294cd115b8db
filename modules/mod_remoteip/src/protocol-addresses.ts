import type { Connection, ModuleLog, Server } from '@gatewright/api'
import type { RemoteIpConfig } from './config.ts'

interface Setting {
  readonly server: Server
  readonly on: boolean
}

/**
 * RemoteIPProxyProtocol applies to addresses, because the requested host name is known only later. If virtual
 * hosts share an address, the last line counts. The main server's setting applies to all other addresses.
 */
export class ProtocolAddresses {
  readonly #settings: readonly Setting[]
  readonly #main: boolean

  constructor(servers: readonly Server[], configOf: (server: Server) => Readonly<RemoteIpConfig>) {
    const [main, ...hosts] = servers
    this.#main = configOf(main).proxyProtocol === true
    this.#settings = hosts.flatMap((server) => {
      const { proxyProtocol } = configOf(server)
      return proxyProtocol === undefined ? [] : [{ server, on: proxyProtocol }]
    })
  }

  isOn({ localAddress, localPort }: Connection): boolean {
    const last = this.#settings.findLast(({ server }) => covers(server, localAddress, localPort))
    return last?.on ?? this.#main
  }

  /** Logs each virtual host that overrides another one with the same address. */
  report(log: ModuleLog): void {
    for (const [index, { server, on }] of this.#settings.entries()) {
      for (const { address, port } of server.addresses) {
        const before = this.#settings.slice(0, index).findLast((other) => hasAddress(other.server, address, port))
        if (before === undefined || before.on === on) continue
        const shown = `${address === '*' ? '0.0.0.0' : address}:${port}`
        const text =
          `RemoteIPProxyProtocol: previous setting for ${shown} from virtual host {${describe(before.server, port)}} is being ` +
          `overridden by virtual host {${describe(server, port)}}; new setting is '${on ? 'On' : 'Off'}'`
        log.write(null, 'notice', 'AH03491', text)
      }
    }
  }
}

function covers({ addresses }: Server, address: string, port: number): boolean {
  return addresses.some((one) => (one.address === '*' || one.address === address) && (one.port === 0 || one.port === port))
}

function hasAddress({ addresses }: Server, address: string, port: number): boolean {
  return addresses.some((one) => one.address === address && one.port === port)
}

function describe({ serverName, serverPort, file }: Server, port: number): string {
  return `${serverName}:${serverPort || port} in ${file}`
}
