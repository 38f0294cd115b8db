import {
  type HostServices,
  HTTP_BAD_REQUEST,
  HTTP_INTERNAL_SERVER_ERROR,
  isBodyRefused,
  type ModuleLog,
  type Outcome,
  type ProxyPassing,
  type Request,
} from '@gatewright/api'
import { UpstreamError, type UpstreamTarget, type WorkerPools } from '@gatewright/upstream'
import type { FcgiConfig } from './config.ts'
import { failedToConnect } from './failures.ts'
import { parametersOf } from './parameters.ts'
import { type OutgoingBody, readAhead } from './request-body.ts'
import { Transaction } from './transaction.ts'

export const DEFAULT_PORT = 8000

/** What a request to a responder needs of the module. */
export interface PassParts {
  readonly pools: WorkerPools
  readonly log: ModuleLog
  readonly services: HostServices
  configOf(request: Request): Readonly<FcgiConfig>
}

/** Passes a request to a FastCGI responder. */
export async function pass(passing: ProxyPassing, parts: PassParts): Promise<Outcome> {
  const { request, worker } = passing
  const { log, services } = parts
  const blocked = passing.blocks(worker.hostname)
  if (blocked === true || (blocked !== false && (await blocked))) return passing.fail(403, 'Connect to remote machine blocked')
  let body: OutgoingBody
  try {
    body = await readAhead(request)
  } catch (error) {
    if (isBodyRefused(error)) throw error
    log.write(request, 'error', 'AH01075', 'Error dispatching request to : (reading input brigade)')
    return HTTP_BAD_REQUEST
  }
  const keepsConnection = worker.parameters.reuse === true && worker.reusesConnections
  const bodyLength = body.start === null || body.rest !== null ? null : body.start.length
  const config = parts.configOf(request)
  const parameters = parametersOf(passing, { services, log, config, bodyLength })
  if (parameters === null) return HTTP_INTERNAL_SERVER_ERROR
  const target = targetOf(passing)
  const connection = await parts.pools.connect(passing, target, keepsConnection)
  if (connection instanceof UpstreamError) return failedToConnect(passing, connection, log, addressOf(passing, target))
  return new Transaction(passing, { connection, parameters, body, keepsConnection }, log).run()
}

/** The host of the URL, because the worker may be that of a pattern. */
function targetOf({ worker, settings, url }: ProxyPassing): UpstreamTarget {
  if (worker.socketPath !== null) return { path: worker.socketPath }
  const found = /^[^:]+:\/\/(?:\[([^\]]*)\]|([^/:?]*))(?::(\d+))?/.exec(url)
  const host = found?.[1] ?? found?.[2] ?? worker.hostname
  const port = found?.[3] === undefined ? DEFAULT_PORT : Number(found[3])
  return settings.sourceAddress === null ? { host, port } : { host, port, localAddress: settings.sourceAddress }
}

function addressOf({ worker }: ProxyPassing, target: UpstreamTarget): string {
  return 'path' in target ? target.path : `${target.host}:${target.port === 0 ? worker.port : target.port}`
}
