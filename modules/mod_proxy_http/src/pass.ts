import { isIP } from 'node:net'
import {
  DECLINED,
  type HostServices,
  HTTP_BAD_REQUEST,
  HTTP_INTERNAL_SERVER_ERROR,
  isBodyRefused,
  type ModuleLog,
  type OptionalFunctions,
  type Outcome,
  type ProxyPassing,
} from '@gatewright/api'
import { outgoingTls } from '@gatewright/api/peers'
import { type ConnectionWay, targetOf, UpstreamError, type UpstreamTarget, type WorkerPools } from '@gatewright/upstream'
import { failedToConnect, hostOf } from './failures.ts'
import { announcedBody, type OutgoingBody, readAhead } from './request-body.ts'
import { headTarget, requestHead } from './request-head.ts'
import { isSecured, notEnabled, securedName, securedWay } from './secured.ts'
import { Transaction } from './transaction.ts'

/** What a request to a backend needs of the module. */
export interface PassParts {
  readonly pools: WorkerPools
  readonly log: ModuleLog
  readonly services: HostServices
  readonly functions: OptionalFunctions
}

/** Passes a request to a backend that speaks HTTP/1.1. */
export async function pass(passing: ProxyPassing, parts: PassParts): Promise<Outcome> {
  const { request } = passing
  const { log } = parts
  const secure = isSecured(passing) ? (parts.functions.get(outgoingTls) ?? null) : null
  if (secure === null && isSecured(passing)) {
    log.write(request, 'debug', 'AH01112', `HTTPS: declining URL ${passing.url} (mod_ssl not configured?)`)
    return DECLINED
  }
  const coding = request.headersIn.get('Transfer-Encoding')
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    log.write(request, 'error', 'AH01093', `${coding} Transfer-Encoding is not supported`)
    return HTTP_INTERNAL_SERVER_ERROR
  }
  const hostname = hostOf(passing)
  if (passing.isBlocked(hostname, [])) return passing.fail(403, 'Connect to remote machine blocked')
  const is10 = request.env.has('force-proxy-request-1.0')
  const waitsForContinue = request.awaitsContinue && passing.settings.forwardContinue && !is10
  let body: OutgoingBody
  try {
    const whole = is10 || request.env.has('proxy-sendcl')
    body = waitsForContinue ? announcedBody(request) : await readAhead(request, { whole })
  } catch (error) {
    if (isBodyRefused(error)) throw error
    const { useragentAddress } = request
    const text = `prefetch request body failed to ${nameOf(passing, targetOf(passing, portOf(passing)))} (${hostname}) from ${useragentAddress} ()`
    passing.note('error', 'AH01095', text)
    return bodyFailed(error)
  }
  const target = targetOf(passing, portOf(passing))
  const keeps = keepsConnection(passing, is10)
  let way: ConnectionWay | undefined
  if (secure !== null) {
    const tls = secure(request, securedName(passing))
    if (tls === null) return notEnabled(passing, await addressOf(passing, target, parts.services), hostname)
    way = securedWay(passing, tls, parts.services.serverBanner())
  }
  const connection = await parts.pools.connect(passing, target, keeps, way)
  if (connection instanceof UpstreamError) {
    const place = { address: await addressOf(passing, target, parts.services), authority: way?.through?.authority ?? null }
    return failedToConnect(passing, connection, log, place)
  }
  const upgrade = upgradeOf(passing)
  const end = { framing: body.framing, upgrade, keepsConnection: keeps, expects: waitsForContinue }
  const head = requestHead(passing, headTarget(passing, way === undefined), end)
  return new Transaction(
    passing,
    { connection, head, body, upgrade, waitsForContinue, address: nameOf(passing, target) },
    log,
  ).run()
}

/** A client that left, or sent something that is no body. */
function bodyFailed(error: unknown): Outcome {
  if (error instanceof Error && 'status' in error) throw error
  return HTTP_BAD_REQUEST
}

function keepsConnection({ request, worker }: ProxyPassing, is10: boolean): boolean {
  if (!worker.reusesConnections || is10) return false
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

/** The same with the name. */
function nameOf(passing: ProxyPassing, target: UpstreamTarget): string {
  return 'path' in target
    ? `${hostOf(passing)}:${passing.worker.port === 0 ? 80 : passing.worker.port}`
    : `${target.host}:${target.port}`
}
