import { isIP } from 'node:net'
import {
  DECLINED,
  type HostServices,
  HTTP_BAD_REQUEST,
  HTTP_INTERNAL_SERVER_ERROR,
  isBodyRefused,
  type MaybePromise,
  type ModuleLog,
  type OptionalFunctions,
  type Outcome,
  type ProxyPassing,
  type Request,
} from '@gatewright/api'
import { type OutgoingTls, outgoingTls } from '@gatewright/api/peers'
import {
  announcedBody,
  type ConnectionWay,
  headTarget,
  hostOf,
  isSecured,
  notEnabled,
  type OutgoingBody,
  readAhead,
  requestHead,
  securedName,
  securedWay,
  targetOf,
  type UpstreamConnection,
  UpstreamError,
  type UpstreamTarget,
  type WorkerPools,
} from '@gatewright/upstream'
import { failedToConnect } from './failures.ts'
import { backendName } from './name-in-messages.ts'
import { Transaction } from './transaction.ts'

/** What a request to a backend needs of the module. */
export interface PassParts {
  readonly pools: WorkerPools
  readonly log: ModuleLog
  readonly services: HostServices
  readonly functions: OptionalFunctions
}

/** What is decided about a request before its connection. */
interface Plan {
  readonly is10: boolean
  /** The field Expect of a request whose body waits for a 100 (Continue) of the backend; null for none. */
  readonly expects: string | null
  /** Null for a backend without TLS. */
  readonly secure: ((request: Request, hostname: string) => OutgoingTls | null) | null
}

/** Passes a request to a backend that speaks HTTP/1.1. Only what has to be waited for takes another turn. */
export function pass(passing: ProxyPassing, parts: PassParts): MaybePromise<Outcome> {
  const { request } = passing
  const secure = isSecured(passing) ? (parts.functions.get(outgoingTls) ?? null) : null
  if (secure === null && isSecured(passing)) {
    parts.log.write(request, 'debug', 'AH01112', `HTTPS: declining URL ${passing.url} (mod_ssl not configured?)`)
    return DECLINED
  }
  const coding = request.headersIn.get('Transfer-Encoding')
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    parts.log.write(request, 'error', 'AH01093', `${coding} Transfer-Encoding is not supported`)
    return HTTP_INTERNAL_SERVER_ERROR
  }
  const hostname = hostOf(passing)
  const blocked = passing.blocks(passing.remote === null ? hostname : passing.worker.hostname)
  const refused = (): Outcome => passing.fail(403, 'Connect to remote machine blocked')
  if (typeof blocked === 'boolean') return blocked ? refused() : readAndSend(passing, parts, hostname, secure)
  return blocked.then((isBlocked) => (isBlocked ? refused() : readAndSend(passing, parts, hostname, secure)))
}

function readAndSend(passing: ProxyPassing, parts: PassParts, hostname: string, secure: Plan['secure']): MaybePromise<Outcome> {
  const { request } = passing
  const is10 = request.env.has('force-proxy-request-1.0')
  const pings = request.proxyRequest === 'reverse' && passing.worker.parameters.ping !== undefined
  if (request.awaitsContinue && (passing.settings.forwardContinue || pings) && !is10) {
    return connectAndSend(passing, parts, { is10, expects: '100-continue', secure }, announcedBody(request))
  }
  const body = readAhead(request, { whole: is10 || request.env.has('proxy-sendcl') })
  const send = (read: OutgoingBody): MaybePromise<Outcome> => {
    if (!pings || is10 || !hasBytes(read)) return connectAndSend(passing, parts, { is10, expects: null, secure }, read)
    return connectAndSend(passing, parts, { is10, expects: '100-Continue', secure }, heldBack(read))
  }
  if (!(body instanceof Promise)) return send(body)
  return body.then(send, (error: unknown) => bodyFailed(passing, hostname, error))
}

function hasBytes({ kind, whole }: OutgoingBody): boolean {
  return kind !== 'none' && (whole === null || whole.length > 0)
}

/** A body that is not sent with the head, although all of it is known. */
function heldBack(body: OutgoingBody): OutgoingBody {
  return body.whole === null ? body : { ...body, whole: null, start: [body.whole] }
}

function connectAndSend(passing: ProxyPassing, parts: PassParts, plan: Plan, body: OutgoingBody): MaybePromise<Outcome> {
  const { request } = passing
  const target = targetOf(passing, portOf(passing))
  const keeps = keepsConnection(passing, plan.is10)
  let way: ConnectionWay | undefined
  if (plan.secure !== null) {
    const tls = plan.secure(request, securedName(passing))
    if (tls === null) {
      return addressOf(passing, target, parts.services).then((address) => notEnabled(passing, address, hostOf(passing)))
    }
    way = securedWay(passing, tls, parts.services.serverBanner())
  }
  const connection = parts.pools.connect(passing, target, keeps, way)
  const sending = { target, way, keeps, expects: plan.expects, body }
  if (connection instanceof Promise) return connection.then((connected) => sendTo(connected, passing, parts, sending))
  return sendTo(connection, passing, parts, sending)
}

/** What is sent on a connection. */
interface Sending {
  readonly target: UpstreamTarget
  readonly way: ConnectionWay | undefined
  readonly keeps: boolean
  readonly expects: string | null
  readonly body: OutgoingBody
}

function sendTo(
  connection: UpstreamConnection | UpstreamError,
  passing: ProxyPassing,
  parts: PassParts,
  { target, way, keeps, expects, body }: Sending,
): MaybePromise<Outcome> {
  if (connection instanceof UpstreamError) return reportUnconnected(passing, parts, { error: connection, target, way })
  const upgrade = upgradeOf(passing)
  const end = { framing: body.framing, upgrade, keepsConnection: keeps, expects }
  const head = requestHead(passing, headTarget(passing, way === undefined), end)
  const sent = { connection, head, body, upgrade, waitsForContinue: expects !== null, target }
  return new Transaction(passing, sent, parts.log).run()
}

interface Unconnected {
  readonly error: UpstreamError
  readonly target: UpstreamTarget
  readonly way: ConnectionWay | undefined
}

async function reportUnconnected(passing: ProxyPassing, parts: PassParts, { error, target, way }: Unconnected): Promise<Outcome> {
  const place = { address: await addressOf(passing, target, parts.services), authority: way?.through?.authority ?? null }
  return failedToConnect(passing, error, parts.log, place)
}

/** A client that left, or sent something that is no body. */
function bodyFailed(passing: ProxyPassing, hostname: string, error: unknown): Outcome {
  if (isBodyRefused(error)) throw error
  const { useragentAddress } = passing.request
  const address = backendName(passing, targetOf(passing, portOf(passing)))
  passing.note('error', 'AH01095', `prefetch request body failed to ${address} (${hostname}) from ${useragentAddress} ()`)
  if (error instanceof Error && 'status' in error) throw error
  return HTTP_BAD_REQUEST
}

function keepsConnection({ request, worker }: ProxyPassing, is10: boolean): boolean {
  // As in httpd, a connection is not kept for what a page includes.
  if (!worker.reusesConnections || is10 || request.main !== null) return false
  return !request.env.has('proxy-nokeepalive')
}

/** The protocol that the request may change to: one that the worker passes on, if the client asks for it. */
function upgradeOf({ request, worker, url }: ProxyPassing): string | null {
  const asked = request.headersIn.get('Upgrade')
  if (asked === undefined || request.version < 1001) return null
  const allowed = worker.parameters.upgrade ?? (/^wss?:/i.test(url) ? 'WebSocket' : null)
  if (allowed === null || allowed.toUpperCase() === 'NONE') return null
  if (allowed.toUpperCase() === 'ANY' || allowed.toLowerCase() === asked.toLowerCase()) return asked
  return null
}

function portOf(passing: ProxyPassing): number {
  return isSecured(passing) ? 443 : 80
}

/** Of the backend, for messages: the address that its name stands for. */
async function addressOf(passing: ProxyPassing, target: UpstreamTarget, services: HostServices): Promise<string> {
  if ('path' in target) return `${hostOf(passing)}:${passing.worker.port === 0 ? 80 : passing.worker.port}`
  const [address = target.host] = isIP(target.host) === 0 ? await services.addressesOf(target.host) : [target.host]
  return `${address}:${target.port}`
}
