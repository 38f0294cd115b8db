import {
  HTTP_BAD_REQUEST,
  HTTP_INTERNAL_SERVER_ERROR,
  isBodyRefused,
  type ModuleLog,
  type Outcome,
  type ProxyPassing,
} from '@gatewright/api'
import { UpstreamError, type UpstreamTarget, type WorkerPools } from '@gatewright/upstream'
import { failedToConnect, hostOf } from './failures.ts'
import { announcedBody, type OutgoingBody, readAhead } from './request-body.ts'
import { headTarget, requestHead } from './request-head.ts'
import { Transaction } from './transaction.ts'

/** What a request to a backend needs of the module. */
export interface PassParts {
  readonly pools: WorkerPools
  readonly log: ModuleLog
  addressesOf(name: string): Promise<readonly string[]>
}

/** Passes a request to a backend that speaks HTTP/1.1. */
export async function pass(passing: ProxyPassing, parts: PassParts): Promise<Outcome> {
  const { request } = passing
  const { log } = parts
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
    const text = `prefetch request body failed to ${addressOf(passing, targetOf(passing))} (${hostname}) from ${useragentAddress} ()`
    passing.note('error', 'AH01095', text)
    return bodyFailed(error)
  }
  const target = targetOf(passing)
  const keeps = keepsConnection(passing, is10)
  const connection = await parts.pools.connect(passing, target, keeps)
  if (connection instanceof UpstreamError) return failedToConnect(passing, connection, log, addressOf(passing, target))
  const upgrade = upgradeOf(passing)
  const end = { framing: body.framing, upgrade, keepsConnection: keeps, expects: waitsForContinue }
  const head = requestHead(passing, headTarget(passing), end)
  return new Transaction(
    passing,
    { connection, head, body, upgrade, waitsForContinue, address: addressOf(passing, target) },
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

function targetOf({ worker, remote, settings, url }: ProxyPassing): UpstreamTarget {
  if (remote !== null) return withSource({ host: remote.hostname, port: remote.port }, settings.sourceAddress)
  if (worker.socketPath !== null) return { path: worker.socketPath }
  const found = /^([^:]+):\/\/(?:\[([^\]]*)\]|([^/:?]*))(?::(\d+))?/.exec(url)
  if (found === null) return withSource({ host: worker.hostname, port: worker.port }, settings.sourceAddress)
  const [, scheme, bracketed, name, port] = found
  const standard = scheme === 'https' || scheme === 'wss' ? 443 : 80
  return withSource({ host: bracketed ?? name, port: port === undefined ? standard : Number(port) }, settings.sourceAddress)
}

function withSource(target: { host: string; port: number }, localAddress: string | null): UpstreamTarget {
  return localAddress === null ? target : { ...target, localAddress }
}

function addressOf(passing: ProxyPassing, target: UpstreamTarget): string {
  return 'path' in target
    ? `${hostOf(passing)}:${passing.worker.port === 0 ? 80 : passing.worker.port}`
    : `${target.host}:${target.port}`
}
