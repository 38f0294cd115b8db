import { type CacheProvider, contexts, type Directive, directive, type ModuleHost } from '@gatewright/api'
import { extendMetrics, extendStatus } from '@gatewright/api/peers'
import { readAddresses, type StoreAddress } from './addresses.ts'
import { readDuration } from './duration.ts'
import { type KeyValueServer, RemoteServers, StoreTroubles } from './remote-servers.ts'
import { ServerFigures } from './server-figures.ts'

/** What distinguishes one kind of cache from another. */
export interface RemoteKind {
  /** The kind, as directives name it: `redis`. */
  readonly kind: string
  /** The port of servers without one. */
  readonly port: number
  /** Makes the client of one server. */
  client(address: StoreAddress): KeyValueServer
}

/**
 * Registers a kind of cache whose servers are named by the argument of a directive: `redis:HOST:PORT,...`. The servers that
 * do not answer are in server-status.
 */
export function addRemoteCaches<D, S>(host: ModuleHost<D, S>, { kind, port, client }: RemoteKind): void {
  const opened: RemoteServers[] = []
  const figures = new ServerFigures(host.services, kind, `mod_socache_${kind}.c`)
  const provider: CacheProvider = {
    configure: (argument) => {
      const addresses = readAddresses(argument, port)
      if (typeof addresses === 'string') return { error: addresses.replace('Parse', `Parse ${kind}`) }
      if (addresses.length === 0) return { error: `List of server names required to create ${kind} socache.` }
      let servers: RemoteServers | null = null
      return (name) => {
        if (servers === null) {
          servers = new RemoteServers(addresses.map(client), new StoreTroubles(host.log, figures))
          opened.push(servers)
        }
        // Only messages pass through this store: it keeps nothing.
        return servers.store(name, host.services.sharedStore(`${name} ${kind}`, 0))
      }
    },
  }
  host.providers.caches.add(kind, provider)
  host.optionalHooks.add(extendStatus, (_request, form) => (form === 'auto' ? statusLines(opened) : ''))
  host.optionalHooks.add(extendMetrics, () => figures.metrics(titlesOf(opened)))
  host.onEnd(() => {
    for (const servers of opened) servers.close()
  })
}

/** Each server once, however many caches it has. */
function titlesOf(opened: readonly RemoteServers[]): readonly string[] {
  return [...new Set(opened.flatMap((servers) => servers.figures().map(([title]) => title)))]
}

/** `SharedCache[redis server 127.0.0.1:6379]: closed 0 failed 0 skipped`, one line for each server, of this process. */
function statusLines(opened: readonly RemoteServers[]): string {
  return opened
    .flatMap((servers) => servers.figures())
    .map(([title, { state, failures, skipped }]) => `SharedCache[${title}]: ${state} ${failures} failed ${skipped} skipped\n`)
    .join('')
}

/** A directive for a time limit, at most one hour. @param set gets milliseconds */
export function durationDirective<C>(help: string, set: (config: C, milliseconds: number) => void): Directive<undefined, C> {
  return directive.take1({
    scope: 'server',
    context: contexts.inServers,
    help,
    set: (config: C, text, command) => {
      const milliseconds = readDuration(text)
      if (milliseconds === undefined) return `${command.name} has wrong format`
      if (milliseconds > 3_600_000) return `${command.name} can only be 0 or up to one hour.`
      set(config, milliseconds)
      return undefined
    },
  })
}
