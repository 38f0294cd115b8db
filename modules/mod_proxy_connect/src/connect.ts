import { isIP } from 'node:net'
import {
  DECLINED,
  type HostServices,
  HTTP_SERVICE_UNAVAILABLE,
  httpStatus,
  type ModuleLog,
  OK,
  type Outcome,
  type ProxyPassing,
} from '@gatewright/api'
import { tunnelTo, type UpstreamConnection, UpstreamError, type WorkerPools } from '@gatewright/upstream'
import { type ConnectConfig, isAllowed } from './allowed-ports.ts'
import { fieldsOf, proxyReply } from './proxy-reply.ts'

/** What CONNECT needs of the module. */
export interface ConnectParts {
  readonly pools: WorkerPools
  readonly log: ModuleLog
  readonly services: HostServices
  readonly config: Readonly<ConnectConfig>
}

/** The major version times 1000. */
const HTTP_2 = 2000
const CHALLENGE = 'Proxy-Authenticate'
const BLOCKED = 'Connect to remote machine blocked'

/** Leads a client to the host that it names. */
export async function connect(passing: ProxyPassing, parts: ConnectParts): Promise<Outcome> {
  const { request, url, remote } = passing
  const { services, log } = parts
  if (request.method !== 'CONNECT') return DECLINED
  const named = splitAuthority(url)
  if (named === null) return passing.fail(400, `URI cannot be parsed: ${url}`)
  const { host, port } = named
  const addresses = isIP(host) === 0 && remote === null ? await services.addressesOf(host) : [remote?.hostname ?? host]
  if (addresses.length === 0) {
    log.write(request, 'error', 'AH02327', `failed to resolve hostname '${host}'`)
    return passing.fail(502, `DNS lookup failure for: ${host}`)
  }
  if (await passing.blocks(host)) return passing.fail(403, BLOCKED)
  if (!isAllowed(parts.config, port)) return passing.fail(403, BLOCKED)
  const connection = await firstConnection(passing, parts.pools, addresses, { host, port })
  if (connection === null) return remote === null ? HTTP_SERVICE_UNAVAILABLE : DECLINED
  const agent = `Proxy-agent: ${services.serverBanner()}\r\n\r\n`
  // Another proxy replies to the client itself.
  if (remote !== null) connection.write(`CONNECT ${url} HTTP/1.0\r\n${agent}`)
  if (remote !== null && request.version >= HTTP_2) return bySecondProxy(passing, connection)
  const opening = remote === null ? `HTTP/1.0 200 Connection Established\r\n${agent}` : ''
  return lead(passing, connection, opening, Buffer.alloc(0))
}

function lead(passing: ProxyPassing, connection: UpstreamConnection, opening: string, rest: Buffer): Outcome {
  const count = (sent: number, received: number): void => passing.count(sent, received)
  const body = tunnelTo(opening, connection, rest, passing.settings.timeout, count)
  // As in httpd, the log has no size.
  passing.request.respond({ ...body, isCounted: false })
  return OK
}

/** A client of HTTP/2 gets no bytes of HTTP/1: what the other proxy replies has to be read. */
async function bySecondProxy(passing: ProxyPassing, connection: UpstreamConnection): Promise<Outcome> {
  const { request, settings } = passing
  request.whenGone(() => connection.destroy())
  const reply = await proxyReply(connection, settings.timeout)
  if (typeof reply !== 'string' && reply.status === 200) return lead(passing, connection, reply.head, reply.rest)
  connection.destroy()
  if (typeof reply === 'string') return passing.fail(502, `the other proxy gives no reply to CONNECT: ${reply}`)
  // A response of success that is not 200 would begin a tunnel.
  if (reply.status < 300) return passing.fail(502, `the other proxy replies ${reply.status} to CONNECT`)
  for (const challenge of fieldsOf(reply, CHALLENGE)) request.errHeadersOut.add(CHALLENGE, challenge)
  return httpStatus(reply.status)
}

/** A connection to the first address that accepts one: the addresses that ProxyBlock was asked about, and no others. */
async function firstConnection(
  passing: ProxyPassing,
  pools: WorkerPools,
  addresses: readonly string[],
  named: { readonly host: string; readonly port: number },
): Promise<UpstreamConnection | null> {
  const { remote, settings } = passing
  const { hostname, port } = remote ?? { hostname: named.host, port: named.port }
  for (const address of addresses) {
    const target = { host: address, port, ...(settings.sourceAddress !== null && { localAddress: settings.sourceAddress }) }
    const connection = await pools.connect(passing, target, false)
    if (!(connection instanceof UpstreamError)) return connection
    const shown = `${address.includes(':') ? `[${address}]` : address}:${port}`
    const text = `CONNECT: attempt to connect to ${shown} (${hostname}) failed`
    passing.note('error', 'AH00939', text, connection.cause ?? undefined)
  }
  return null
}

/** `HOST:PORT`, `[ADDRESS]:PORT`. */
function splitAuthority(text: string): { readonly host: string; readonly port: number } | null {
  const found = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:/?#@[\]\s]+)):(\d{1,5})$/.exec(text)
  if (found === null) return null
  const [, bracketed, name, digits] = found
  const port = Number(digits)
  return port < 1 || port > 65_535 ? null : { host: bracketed ?? name, port }
}
