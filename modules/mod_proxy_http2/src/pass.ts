import {
  type HostServices,
  HTTP_BAD_REQUEST,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_SERVICE_UNAVAILABLE,
  isBodyRefused,
  type ModuleLog,
  type OptionalFunctions,
  type Outcome,
  type ProxyPassing,
} from '@gatewright/api'
import { type OutgoingTls, outgoingTls } from '@gatewright/api/peers'
import {
  announcedBody,
  type ConnectionWay,
  hostAndPort,
  hostOf,
  isSecured,
  notEnabled,
  type OutgoingBody,
  readAhead,
  securedName,
  targetOf,
  tunnelledWay,
  UpstreamError,
  type UpstreamTarget,
  type WorkerPools,
} from '@gatewright/upstream'
import type { Link, Links } from './links.ts'
import { requestFields } from './request-fields.ts'
import { AGAIN, Transaction } from './transaction.ts'

/** What a request to a back end needs of the module. */
export interface PassParts {
  readonly pools: WorkerPools
  readonly links: Links
  readonly log: ModuleLog
  readonly services: HostServices
  readonly functions: OptionalFunctions
}

/** Times that a request is sent, if the back end has certainly not begun it before. */
const ATTEMPTS = 2

/** Connections that turn out to be unusable before a request is given up. */
const CONNECTIONS = 3

/** Where a request goes, and how. */
interface Plan {
  readonly target: UpstreamTarget
  readonly way: ConnectionWay
  readonly isSecured: boolean
  readonly keepsConnection: boolean
  /** `ADDRESS:PORT (HOST)`. */
  readonly address: string
}

/** Passes a request to a back end that speaks HTTP/2. */
export async function pass(passing: ProxyPassing, parts: PassParts): Promise<Outcome> {
  const { request } = passing
  const coding = request.headersIn.get('Transfer-Encoding')
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    parts.log.write(request, 'error', '', `${coding} Transfer-Encoding is not supported`)
    return HTTP_INTERNAL_SERVER_ERROR
  }
  if (await passing.blocks(hostOf(passing))) return passing.fail(403, 'Connect to remote machine blocked')
  const plan = planOf(passing, parts)
  if (typeof plan === 'number') return plan
  const isWhole = request.env.has('proxy-sendcl')
  const isStreamed = coding !== undefined && !isWhole
  let body: OutgoingBody
  try {
    // What the client sends of a body of unknown length leaves at once: it may wait for an answer before it sends more.
    body = isStreamed ? announcedBody(request) : await readAhead(request, { whole: isWhole })
  } catch (error) {
    return bodyFailed(passing, error, plan.address)
  }
  // As in httpd, the client states the length of a body, unless it is asked for.
  const length = isStreamed ? -1 : lengthOf(body)
  const fields = requestFields(passing, { isSecured: plan.isSecured, length })
  for (let attempt = 1; ; attempt++) {
    const link = await connect(passing, parts, plan)
    if (typeof link === 'number') return link
    const mayRepeat = attempt < ATTEMPTS
    const { address, keepsConnection } = plan
    const transaction = new Transaction(passing, { link, fields, body, keepsConnection, mayRepeat, address, log: parts.log })
    const outcome = await transaction.run()
    if (outcome !== AGAIN) return outcome
    parts.log.write(request, 'debug', '', `${address} has not begun the request, which is sent again`)
  }
}

function planOf(passing: ProxyPassing, { functions, services }: PassParts): Plan | Outcome {
  const secured = isSecured(passing)
  const standardPort = secured ? 443 : 80
  const { host, port } = hostAndPort(passing, standardPort)
  const address = `${host}:${port}`
  let tls: OutgoingTls | null = null
  if (secured) {
    tls = functions.get(outgoingTls)?.(passing.request, securedName(passing)) ?? null
    if (tls === null) return notEnabled(passing, address, hostOf(passing), 'H2')
    tls = withHttp2(tls)
  }
  return {
    target: targetOf(passing, standardPort),
    way: tunnelledWay(passing, tls, services.serverBanner(), standardPort),
    isSecured: secured,
    keepsConnection: keepsConnection(passing),
    address,
  }
}

/** As in httpd, a connection is not kept for what a page includes. */
function keepsConnection({ request, worker }: ProxyPassing): boolean {
  return worker.reusesConnections && request.main === null && !request.env.has('proxy-nokeepalive')
}

/** The back end has to choose HTTP/2 in the handshake (RFC 9113 section 3.2). */
function withHttp2(tls: OutgoingTls): OutgoingTls {
  return {
    key: `${tls.key} h2`,
    options: () => ({ ...tls.options(), ALPNProtocols: ['h2'] }),
    check: (socket) => tls.check(socket) ?? (socket.alpnProtocol === 'h2' ? null : NO_HTTP2),
    failed: (cause) => tls.failed(cause),
  }
}

const NO_HTTP2 = 'the back end does not choose h2 in the TLS handshake (ALPN)'

/** A connection whose session takes a request, or the status if there is none. */
async function connect(passing: ProxyPassing, parts: PassParts, plan: Plan): Promise<Link | Outcome> {
  const { request, worker } = passing
  const { links, pools } = parts
  const place = plan.keepsConnection ? placeOf(plan) : null
  // Requests that wait for a connection (`max`) get the next one that becomes free; others must not keep it busy for ever.
  if (place !== null && pools.connections(worker).waiting === 0) {
    const shared = links.shared(worker, place)
    shared?.reserve()
    if (shared !== null) return shared
  }
  for (let attempt = 0; attempt < CONNECTIONS; attempt++) {
    const connection = await pools.connect(passing, plan.target, plan.keepsConnection, plan.way)
    if (connection instanceof UpstreamError) return failedToConnect(passing, parts, connection, plan)
    if (connection.closed) continue
    const link = links.take(connection, worker, place)
    const isUsable = link.takesRequest
    link.reserve()
    if (isUsable) return link
    link.requestEnded(false)
  }
  parts.log.write(request, 'error', '', `no connection to ${worker.name} takes a request`)
  return HTTP_SERVICE_UNAVAILABLE
}

/** Connections with the same place lead to the same back end in the same way. */
function placeOf({ target, way }: Plan): string {
  const place = 'path' in target ? target.path : `${target.host}:${target.port} ${target.localAddress ?? ''}`
  return `${place} ${way.tls?.key ?? ''} ${way.through?.head ?? ''}`
}

function failedToConnect(passing: ProxyPassing, { log }: PassParts, error: UpstreamError, { address }: Plan): Outcome {
  const { request, worker } = passing
  switch (error.code) {
    case 'resolve':
      return passing.fail(503, `DNS lookup failure for: ${hostOf(passing)}`)
    case 'queue-full':
    case 'acquire-timeout':
      log.write(request, 'error', '', `no connection to ${worker.name} became free`)
      return HTTP_SERVICE_UNAVAILABLE
    case 'tls':
      log.write(request, 'error', '', `TLS handshake with ${address} failed: ${error.detail}`)
      return HTTP_SERVICE_UNAVAILABLE
    case 'through':
      log.write(request, 'error', '', `the remote proxy does not lead to ${address}: ${error.message}`)
      break
    default:
      passing.unreachable(address, error.cause)
  }
  log.write(request, 'debug', 'AH03352', `H2: failed to make connection to backend: ${hostOf(passing)}`)
  return HTTP_SERVICE_UNAVAILABLE
}

/** A client that left, or sent something that is no body. */
function bodyFailed(passing: ProxyPassing, error: unknown, address: string): Outcome {
  if (isBodyRefused(error)) throw error
  const { useragentAddress } = passing.request
  passing.note('error', '', `prefetch request body failed to ${address} from ${useragentAddress}`)
  if (error instanceof Error && 'status' in error) throw error
  return HTTP_BAD_REQUEST
}

/** Bytes of the body as its head states them; -1 if it does not. */
function lengthOf({ framing, kind }: OutgoingBody): number {
  if (kind !== 'length' || framing === null) return -1
  return Number(framing.slice(framing.indexOf(':') + 1))
}
