import {
  type HostServices,
  HTTP_SERVICE_UNAVAILABLE,
  httpStatus,
  type ModuleLog,
  type Outcome,
  type ProxyPassing,
  type Request,
} from '@gatewright/api'
import { hostAndPort, targetOf, UpstreamError, type WorkerPools } from '@gatewright/upstream'
import type { ScgiConfig } from './config.ts'
import { requestBlock } from './request-block.ts'
import { Transaction } from './transaction.ts'

export const DEFAULT_PORT = 4000

/** What a request to a back end needs of the module. */
export interface PassParts {
  readonly pools: WorkerPools
  readonly log: ModuleLog
  readonly services: HostServices
  configOf(request: Request): Readonly<ScgiConfig>
}

/** Passes a request to a back end that speaks SCGI. */
export async function pass(passing: ProxyPassing, parts: PassParts): Promise<Outcome> {
  const { request } = passing
  const { host, port } = hostAndPort(passing, DEFAULT_PORT)
  if (await passing.blocks(host)) return passing.fail(403, 'Connect to remote machine blocked')
  // SCGI states the length of a body before it.
  if (request.headersIn.has('Transfer-Encoding')) return httpStatus(411)
  const target = targetOf(passing, DEFAULT_PORT)
  const connection = await parts.pools.connect(passing, target, false)
  const address = `${host}:${port}`
  if (connection instanceof UpstreamError) {
    if (connection.code === 'resolve') return passing.fail(500, `DNS lookup failure for: ${host}`, connection.cause)
    passing.unreachable('path' in target ? target.path : address, connection.cause)
    parts.log.write(request, 'error', 'AH00866', `failed to make connection to backend: ${address}`)
    return HTTP_SERVICE_UNAVAILABLE
  }
  const variables = parts.services.cgiVariables(request)
  variables.set('SCRIPT_FILENAME', `proxy:${passing.url}`)
  const block = requestBlock(variables, request.headersIn.get('Content-Length') ?? '0')
  return new Transaction(passing, { connection, block, address, config: parts.configOf(request), log: parts.log }).run()
}
