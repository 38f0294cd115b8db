import {
  DECLINED,
  type HostServices,
  HTTP_BAD_REQUEST,
  HTTP_SERVICE_UNAVAILABLE,
  httpStatus,
  type ModuleLog,
  OK,
  type OptionalFunctions,
  type Outcome,
  type ProxyPassing,
} from '@gatewright/api'
import { outgoingTls } from '@gatewright/api/peers'
import {
  type ConnectionWay,
  headTarget,
  hostAndPort,
  isSecured,
  notEnabled,
  requestHead,
  securedName,
  securedWay,
  targetOf,
  tunnelTo,
  UpstreamError,
  type WorkerPools,
} from '@gatewright/upstream'

/** What a tunnel needs of the module. */
export interface TunnelParts {
  readonly pools: WorkerPools
  readonly log: ModuleLog
  readonly services: HostServices
  readonly functions: OptionalFunctions
}

/** Joins a client and a back end, which decides itself what it replies: nothing of it is read. */
export async function passWebSocket(passing: ProxyPassing, parts: TunnelParts): Promise<Outcome> {
  const { request, worker, url, settings } = passing
  const { log } = parts
  const { headersIn } = request
  // What follows the head belongs to the other protocol; a body would be taken for it.
  if (headersIn.has('Transfer-Encoding') || (headersIn.get('Content-Length') ?? '0') !== '0') return HTTP_BAD_REQUEST
  const expected = worker.parameters.upgrade ?? 'WebSocket'
  if (!isExpected(headersIn.get('Upgrade'), expected)) {
    const text = `require upgrade for URL ${url} (Upgrade header is ${headersIn.get('Upgrade') ?? 'missing'}, expecting ${expected})`
    log.write(request, 'info', 'AH02900', text)
    request.errHeadersOut.set('Connection', 'Upgrade')
    request.errHeadersOut.set('Upgrade', expected)
    return httpStatus(426)
  }
  const { host } = hostAndPort(passing, 80)
  if (await passing.blocks(host)) return passing.fail(403, 'Connect to remote machine blocked')
  const target = targetOf(passing, isSecured(passing) ? 443 : 80)
  const address = 'path' in target ? target.path : `${target.host}:${target.port}`
  let way: ConnectionWay | undefined
  if (isSecured(passing)) {
    const secure = parts.functions.get(outgoingTls)
    if (secure === undefined) return DECLINED
    const tls = secure(request, securedName(passing))
    if (tls === null) return notEnabled(passing, address, host)
    way = securedWay(passing, tls, parts.services.serverBanner())
  }
  const connection = await parts.pools.connect(passing, target, false, way)
  if (connection instanceof UpstreamError) {
    if (connection.code === 'resolve') return passing.fail(500, `DNS lookup failure for: ${host}`, connection.cause)
    if (connection.code === 'tls') return passing.fail(500, 'Error during SSL Handshake with remote server')
    passing.unreachable(address, connection.cause)
    log.write(request, 'error', 'AH02452', `failed to make connection to backend: ${host}`)
    return HTTP_SERVICE_UNAVAILABLE
  }
  const asked = /^any$/i.test(expected) ? (headersIn.get('Upgrade') ?? '') : /^none$/i.test(expected) ? 'WebSocket' : expected
  const end = { framing: null, upgrade: asked, keepsConnection: false, expects: null }
  connection.write(requestHead(passing, headTarget(passing, way === undefined), end))
  const idle = worker.parameters.timeout ?? settings.timeout
  const count = (sent: number, received: number): void => passing.count(sent, received)
  const body = tunnelTo('', connection, Buffer.alloc(0), idle, count)
  // As in httpd, the log has no size.
  request.respond({ ...body, isCounted: false })
  return OK
}

/** Whether the client asks for the protocol of the worker; `ANY` is any, and `NONE` requires none. */
function isExpected(asked: string | undefined, expected: string): boolean {
  if (/^none$/i.test(expected)) return true
  if (asked === undefined) return false
  return /^any$/i.test(expected) || asked.toLowerCase() === expected.toLowerCase()
}
