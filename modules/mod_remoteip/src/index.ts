import {
  type Connection,
  DECLINED,
  defineModule,
  HTTP_BAD_REQUEST,
  HTTP_SERVICE_UNAVAILABLE,
  type MaybePromise,
  type Module,
  type ModuleLog,
  OK,
  type Outcome,
  type Request,
  type Server,
  type Slot,
} from '@gatewright/api'
import { forwardingPeerOf } from '@gatewright/api/peers'
import { AddressReader } from '@gatewright/ipset'
import { createConfig, mergeConfigs, type RemoteIpConfig } from './config.ts'
import { directives } from './directives.ts'
import { type ReadAddress, type Reading, readForwarded } from './forwarded.ts'
import { ProtocolAddresses } from './protocol-addresses.ts'
import { type ProxiedClient, readProxyHeader } from './proxy-header.ts'
import { compileRules, type ServerRules } from './servers.ts'

const remoteip: Module<undefined, RemoteIpConfig> = defineModule({
  name: 'remoteip_module',
  source: 'mod_remoteip.c',
  perServer: { create: createConfig, merge: mergeConfigs },
  directives,
  register({ hooks, functions, serverConfigOf, services, requestSlot, log }) {
    const rules = new Map<Server, ServerRules>()
    /**
     * Clients of connections with a PROXY header; null until the header has been read. If the header has no
     * client, the peer's own address is used.
     */
    const clients = new WeakMap<Connection, ProxiedClient | null>()
    const peers = new AddressReader()
    /** Requests whose client was read from the field. */
    const reported = requestSlot<true>()
    let protocol: ProtocolAddresses | null = null

    hooks.checkConfig.add(async ({ servers }) => {
      for (const server of servers) {
        const compiled = await compileRules(serverConfigOf(server), services)
        if (typeof compiled === 'string') return compiled
        rules.set(server, compiled)
      }
      protocol = new ProtocolAddresses(servers, serverConfigOf)
      protocol.report(log)
      return undefined
    })

    hooks.preConnection.add((connection) => {
      const exceptions = rules.get(connection.baseServer)?.exceptions
      if (protocol?.isOn(connection) !== true || exceptions?.has(peers.of(connection.remoteAddress)) === true) return
      clients.set(connection, null)
      connection.expectPreface((bytes) => {
        const header = readProxyHeader(bytes)
        if (header.kind === 'more') return 'more'
        if (header.kind === 'fault') {
          log.write(connection, header.level, header.code, header.text)
          return 'refuse'
        }
        clients.set(connection, header.client ?? { address: connection.remoteAddress, port: connection.remotePort })
        return header.length
      })
    })

    functions.offer(forwardingPeerOf, (request) => ({
      isListed: rules.get(request.server)?.proxies.lists(peers.of(request.connection.remoteAddress)) === true,
      namedClient: reported.get(request) === true,
    }))

    hooks.postReadRequest.add(
      (request) => {
        const client = clients.get(request.connection)
        if (client !== undefined) return byProtocol(request, client, log)
        // After an internal redirect, the rest of the field is untrusted, as it was before.
        const server = request.prev === null ? rules.get(request.server) : undefined
        if (server?.header === undefined) return DECLINED
        return byHeader(request, { header: server.header, rules: server, readAddress: services.resolveAddress, reported, log })
      },
      { rank: 'first' },
    )
  },
})
export default remoteip

function byProtocol(request: Request, client: ProxiedClient | null, log: ModuleLog): Outcome {
  if (client === null) {
    const text = 'RemoteIPProxyProtocol data is missing, but required! Aborting request.'
    log.write(request, 'error', 'AH03496', text)
    return HTTP_BAD_REQUEST
  }
  request.useragentAddress = client.address
  request.useragentPort = client.port
  return OK
}

/** The configuration and services for reading the field of one server's proxies. */
interface FieldRules {
  readonly header: string
  readonly rules: ServerRules
  readonly readAddress: ReadAddress
  readonly reported: Slot<Request, true>
  readonly log: ModuleLog
}

function byHeader(request: Request, fieldRules: FieldRules): MaybePromise<Outcome> {
  const { header, rules, readAddress, log } = fieldRules
  const field = request.headersIn.get(header)
  if (field === undefined) return OK
  const reading = readForwarded(field, request.connection.remoteAddress, rules.proxies, readAddress)
  if (!(reading instanceof Promise)) return applyReading(request, fieldRules, reading)
  return reading.then(
    (read) => applyReading(request, fieldRules, read),
    (error: unknown) => {
      // Another resolver might have found an address, so the request must not be treated as the proxy's own.
      const reason = error instanceof Error ? error.message : String(error)
      log.write(request, 'error', '', `RemoteIP: Header ${header} contains a name that could not be looked up: ${reason}`)
      return HTTP_SERVICE_UNAVAILABLE
    },
  )
}

function applyReading(request: Request, { header, rules, reported, log }: FieldRules, { forwarded, stop }: Reading): Outcome {
  if (stop !== null && log.enabled(request, 'debug')) {
    const [code, what] =
      stop.kind === 'malformed'
        ? ['AH01568', 'cannot be parsed as a client IP']
        : ['AH01569', 'appears to be a private IP or nonsensical.  Ignored']
    log.write(request, 'debug', code, `RemoteIP: Header ${header} value of ${stop.value} ${what}`)
  }
  if (forwarded === null) return OK
  if (forwarded.left === '') request.headersIn.delete(header)
  else request.headersIn.set(header, forwarded.left)
  if (forwarded.proxies.length > 0) {
    const passed = forwarded.proxies.join(', ')
    request.notes.set('remoteip-proxy-ip-list', passed)
    if (rules.proxiesHeader !== undefined) request.headersIn.set(rules.proxiesHeader, passed)
  }
  reported.set(request, true)
  request.useragentAddress = forwarded.client
  request.useragentPort = 0
  return OK
}
