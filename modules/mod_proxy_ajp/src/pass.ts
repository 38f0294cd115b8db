import {
  type HostServices,
  HTTP_BAD_REQUEST,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_SERVICE_UNAVAILABLE,
  type ModuleLog,
  type OptionalFunctions,
  type Outcome,
  type ProxyPassing,
} from '@gatewright/api'
import { tlsValueOf } from '@gatewright/api/peers'
import { hostAndPort, targetOf, type UpstreamConnection, UpstreamError, type WorkerPools } from '@gatewright/upstream'
import { ping } from './cping.ts'
import { OVERFLOW, PacketFault, TIMED_OUT } from './faults.ts'
import { forwardRequest } from './forward-request.ts'
import { addressOf, report } from './link.ts'
import { Transaction } from './transaction.ts'

export const DEFAULT_PORT = 8009
const STANDARD_SIZE = 8192
const LARGEST_SIZE = 65_536
const SIZE_STEP = 1024
/** Connections that are tried before a back end that does not answer a CPING is given up. */
const ATTEMPTS = 2

/** What a request to a back end needs of the module. */
export interface PassParts {
  readonly pools: WorkerPools
  readonly log: ModuleLog
  readonly services: HostServices
  readonly functions: OptionalFunctions
}

/** Passes a request to a back end that speaks AJP. */
export async function pass(passing: ProxyPassing, parts: PassParts): Promise<Outcome> {
  const { request, worker, url } = passing
  const { log, services, functions } = parts
  const place = hostAndPort(passing, DEFAULT_PORT)
  if (await passing.blocks(place.host)) return passing.fail(403, 'Connect to remote machine blocked')
  const coding = request.headersIn.get('Transfer-Encoding')
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    log.write(request, 'error', 'AH10396', `${coding} Transfer-Encoding is not supported`)
    return HTTP_INTERNAL_SERVER_ERROR
  }
  const remoteHost = services.knownRemoteHost(request)
  const keepsConnection = worker.reusesConnections && worker.parameters.reuse !== false && !request.env.has('proxy-nokeepalive')
  const connection = await connect(passing, parts, keepsConnection)
  if (typeof connection === 'number') return connection
  const address = addressOf(connection, place)
  const size = packetSize(passing)
  const tlsValue = (name: string): string => functions.get(tlsValueOf)?.(request, name) ?? ''
  let packet: Buffer
  try {
    packet = forwardRequest(request, { url, size, remoteHost, secret: worker.parameters.secret, tlsValue })
  } catch (error) {
    if (!(error instanceof PacketFault)) throw error
    connection.destroy()
    report(log, request, error.lines)
    log.write(request, 'error', 'AH00988', 'ajp_send_header: ajp_marshal_into_msgb failed')
    log.write(request, 'error', 'AH00868', `request failed to ${address}`, error.cause)
    return error.cause === OVERFLOW ? HTTP_BAD_REQUEST : HTTP_INTERNAL_SERVER_ERROR
  }
  return new Transaction(passing, { connection, keepsConnection, packet, size, address, log }).run()
}

/** A connection that works, as far as the worker is configured to check that; otherwise the status. */
async function connect(passing: ProxyPassing, parts: PassParts, keepsConnection: boolean): Promise<UpstreamConnection | Outcome> {
  const { request, worker } = passing
  const { pools, log } = parts
  const place = hostAndPort(passing, DEFAULT_PORT)
  const target = targetOf(passing, DEFAULT_PORT)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const connection = await pools.connect(passing, target, keepsConnection)
    if (connection instanceof UpstreamError) return failedToConnect(passing, connection, log)
    if (worker.parameters.ping === undefined) return connection
    const address = addressOf(connection, place)
    const fault = await ping(passing, connection, worker.parameters.ping)
    if (fault === null) return connection
    report(log, request, fault.lines)
    log.write(request, 'error', 'AH00897', `cping/cpong failed to ${address}`, fault.cause)
    if (fault.cause === TIMED_OUT) passing.timedOut()
  }
  return HTTP_SERVICE_UNAVAILABLE
}

function failedToConnect(passing: ProxyPassing, error: UpstreamError, log: ModuleLog): Outcome {
  const { request, worker } = passing
  const { host, port } = hostAndPort(passing, DEFAULT_PORT)
  if (error.code === 'resolve') return passing.fail(500, `DNS lookup failure for: ${host}`, error.cause)
  if (error.code === 'queue-full' || error.code === 'acquire-timeout') {
    log.write(request, 'error', '', `no connection to ${worker.name} became free`)
    return HTTP_SERVICE_UNAVAILABLE
  }
  passing.unreachable(worker.socketPath ?? `${host}:${port}`, error.cause)
  log.write(request, 'error', 'AH00896', `failed to make connection to backend: ${host}`)
  return HTTP_SERVICE_UNAVAILABLE
}

/** The longest packet: what `iobuffersize` or ProxyIOBufferSize states, in steps of 1024 and within bounds. */
function packetSize({ worker, settings }: ProxyPassing): number {
  const wanted = worker.parameters.iobuffersize ?? settings.ioBufferSize
  if (wanted <= STANDARD_SIZE) return STANDARD_SIZE
  return Math.min(LARGEST_SIZE, Math.ceil(wanted / SIZE_STEP) * SIZE_STEP)
}
