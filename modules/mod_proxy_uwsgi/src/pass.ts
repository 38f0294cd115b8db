import {
  type HostServices,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_SERVICE_UNAVAILABLE,
  httpStatus,
  type ModuleLog,
  type Outcome,
  type ProxyPassing,
} from '@gatewright/api'
import { hostAndPort, targetOf, UpstreamError, type WorkerPools } from '@gatewright/upstream'
import { packetOf } from './packet.ts'
import { splitScriptPath } from './script-path.ts'
import { Transaction } from './transaction.ts'

export const DEFAULT_PORT = 3031

/** What a request to a back end needs of the module. */
export interface PassParts {
  readonly pools: WorkerPools
  readonly log: ModuleLog
  readonly services: HostServices
}

/** Passes a request to a back end that speaks uwsgi. */
export async function pass(passing: ProxyPassing, { pools, log, services }: PassParts): Promise<Outcome> {
  const { request } = passing
  const { host, port } = hostAndPort(passing, DEFAULT_PORT)
  const address = `${host}:${port}`
  if (await passing.blocks(host)) return passing.fail(403, 'Connect to remote machine blocked')
  // The length of a body is a variable.
  if (request.headersIn.has('Transfer-Encoding')) return httpStatus(411)
  const variables = services.cgiVariables(request)
  const authorization = request.headersIn.get('Authorization')
  if (authorization !== undefined) variables.set('HTTP_AUTHORIZATION', authorization)
  if (!splitScriptPath(passing, variables)) {
    log.write(request, 'error', 'AH10100', `unable to decode uwsgi uri: ${passing.url}`)
    return HTTP_INTERNAL_SERVER_ERROR
  }
  const packet = packetOf(variables)
  if (packet === null) {
    log.write(request, 'error', 'AH10259', `can't send headers to ${address}: packet size too large`)
    return HTTP_INTERNAL_SERVER_ERROR
  }
  const target = targetOf(passing, DEFAULT_PORT)
  const connection = await pools.connect(passing, target, false)
  if (connection instanceof UpstreamError) {
    if (connection.code === 'resolve') return passing.fail(500, `DNS lookup failure for: ${host}`, connection.cause)
    passing.unreachable('path' in target ? target.path : address, connection.cause)
    log.write(request, 'error', 'AH10101', `failed to make connection to backend: ${address}`)
    return HTTP_SERVICE_UNAVAILABLE
  }
  return new Transaction(passing, connection, packet, log).run()
}
