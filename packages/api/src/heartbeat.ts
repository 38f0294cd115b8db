import { isIPv4 } from 'node:net'
import { type OptionalFunction, optionalFunction } from './optional-functions.ts'
import type { HostServices } from './services.ts'
import { decodePercent } from './text/percent.ts'

/**
 * What a server of a group last said of itself by mod_heartbeat.
 * @since 2.4.6
 */
export interface HeartbeatServer {
  /** The address that its message came from. */
  readonly address: string
  /** Requests that it can begin now. */
  readonly ready: number
  /** Requests in progress. */
  readonly busy: number
  /** Seconds since its message. */
  readonly age: number
}

/**
 * Offered by mod_heartmonitor: the servers that it heard of, as the processes of this server know them; null where it keeps
 * them in a file.
 * @since 2.4.6
 */
export const heartbeatServers: OptionalFunction<() => readonly HeartbeatServer[] | null> =
  optionalFunction('heartmonitor:servers')

/**
 * The fields of a heartbeat, `v=1&ready=75&busy=0`, with their names in lower case. A field without a value has the value 1,
 * and the last of equal names counts.
 * @since 2.4.6
 */
export function heartbeatFields(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decodePercent(equals < 0 ? pair : pair.slice(0, equals))
    fields.set(name.toLowerCase(), equals < 0 ? '1' : decodePercent(pair.slice(equals + 1)))
  }
  return fields
}

/**
 * Where heartbeats are sent.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface HeartbeatAddress {
  /** An IPv4 address or a name. */
  readonly host: string
  /** From 1. */
  readonly port: number
}

/**
 * The address and port of a line about heartbeats, or what is wrong with them: `unreadable`, or that one is missing.
 * @since 2.4.6
 */
export function heartbeatAddress(text: string): HeartbeatAddress | 'unreadable' | 'no host' | 'no port' {
  const found = /^(?:(.*):)?(\d+)$/.exec(text)
  if (found === null) return /^\[[^\]]*$/.test(text) ? 'unreadable' : 'no port'
  const port = Number(found[2])
  if (port < 1 || port > 65_535 || found[1] === '' || /^\[[^\]]*$/.test(found[1] ?? '')) return 'unreadable'
  return found[1] === undefined ? 'no host' : { host: found[1], port }
}

/**
 * The address with a number in the place of its name; null for a name that has no IPv4 address.
 * @since 2.4.6
 */
export async function resolvedHeartbeatAddress(
  { host, port }: HeartbeatAddress,
  { addressesOf }: Pick<HostServices, 'addressesOf'>,
): Promise<HeartbeatAddress | null> {
  const found = isIPv4(host) ? host : (await addressesOf(host)).find(isIPv4)
  return found === undefined ? null : { host: found, port }
}
