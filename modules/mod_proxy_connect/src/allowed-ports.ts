import { contexts, type DirectiveTable, directive } from '@gatewright/api'

/** Ports from the first to the last. */
export interface PortRange {
  readonly first: number
  readonly last: number
}

/** What servers set. */
export interface ConnectConfig {
  /** AllowCONNECT; empty for the ports of TLS. */
  ports: readonly PortRange[]
}

/** Ports of https and of news by TLS. */
const STANDARD_PORTS: readonly number[] = [443, 563]

export function createConnectConfig(): ConnectConfig {
  return { ports: [] }
}

/** Lines of a virtual host add to those of the main server. */
export function mergeConnectConfig(base: Readonly<ConnectConfig>, over: Readonly<ConnectConfig>): ConnectConfig {
  return { ports: [...base.ports, ...over.ports] }
}

/** Whether AllowCONNECT permits a port. */
export function isAllowed({ ports }: Readonly<ConnectConfig>, port: number): boolean {
  if (ports.length === 0) return STANDARD_PORTS.includes(port)
  return ports.some(({ first, last }) => port >= first && port <= last)
}

export const directives: DirectiveTable<undefined, ConnectConfig> = {
  AllowCONNECT: directive.iterate({
    scope: 'server',
    context: contexts.inServers,
    help: 'A list of ports or port ranges which CONNECT may connect to',
    set: (config: ConnectConfig, word) => {
      if (!/^\d/.test(word)) return 'AllowCONNECT: port numbers must be numeric'
      const found = /^(\d+)(?:-(\d+))?$/.exec(word)
      if (found === null) return `Cannot parse '${word}' as port number`
      const [, first, last = first] = found
      config.ports = [...config.ports, { first: Number(first), last: Number(last) }]
      return undefined
    },
  }),
}
