import { basename } from 'node:path'
import { HTTP_SERVICE_UNAVAILABLE, type ModuleLog, type Outcome, type Request, type Server } from '@gatewright/api'
import { type UpstreamConnection, UpstreamError, unkeptConnections } from '@gatewright/upstream'
import { type FcgidCommand, type FcgidServerConfig, optionsOf, type ProcessOptions } from './config.ts'
import type { Lease, ProcessManager } from './manager.ts'
import type { ClassSpec } from './manager-messages.ts'

/** How often another process is tried because one does not accept a connection. */
const MOST_ATTEMPTS = 32

/** A process with a connection for one request. */
export interface ConnectedProcess {
  readonly lease: Lease
  readonly connection: UpstreamConnection
  readonly options: ProcessOptions
}

/** What requests for processes need of the module. */
export interface ProcessParts {
  readonly log: ModuleLog
  /** Null in tools. */
  manager(): ProcessManager | null
  serverConfigOf(server: Server): Readonly<FcgidServerConfig>
  /** The number of a server in the configuration: classes of processes belong to servers. */
  numberOf(server: Server): number
}

/** Finds a process for a request and connects to it. @returns the status of a request without one; null if its client has gone */
export async function connectProcess(
  request: Request,
  command: FcgidCommand,
  parts: ProcessParts,
): Promise<ConnectedProcess | Outcome | null> {
  const { log } = parts
  const manager = parts.manager()
  if (manager === null) return HTTP_SERVICE_UNAVAILABLE
  const spec = classOf(request, command, parts)
  const { options } = spec
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const lease = await manager.lend(spec, (listener) => request.whenGone(listener))
    if (lease === null) return null
    if ('reason' in lease) {
      const reason = lease.reason === '' ? '' : `: ${lease.reason}`
      log.write(request, 'warn', '', `mod_fcgid: can't apply process slot for ${command.line}${reason}`)
      return HTTP_SERVICE_UNAVAILABLE
    }
    const connection = await connected(lease.path, options.connectTimeout)
    if (!(connection instanceof UpstreamError)) return { lease, connection, options }
    log.write(
      request,
      'debug',
      '',
      `mod_fcgid: can't connect unix domain socket: ${basename(lease.path)}`,
      connection.cause ?? undefined,
    )
    lease.release('connect error')
  }
  log.write(request, 'warn', '', `mod_fcgid: can't apply process slot for ${command.line}`)
  return HTTP_SERVICE_UNAVAILABLE
}

function connected(path: string, seconds: number): Promise<UpstreamConnection | UpstreamError> {
  const pool = unkeptConnections({ path }, Math.max(1, seconds * 1000))
  return new Promise((resolve) => {
    pool.acquire({ onConnection: resolve, onError: resolve })
  })
}

function classOf(request: Request, command: FcgidCommand, parts: ProcessParts): ClassSpec {
  const { server } = request
  const [file, ...args] = command.words
  const { options, environment } = optionsOf(parts.serverConfigOf(server), file)
  const { PATH = '/bin:/usr/bin:/usr/local/bin', LD_LIBRARY_PATH } = process.env
  const usual = LD_LIBRARY_PATH === undefined ? { PATH } : { PATH, LD_LIBRARY_PATH }
  return {
    key: JSON.stringify([command.device, command.inode, command.line, parts.numberOf(server)]),
    file,
    args,
    environment: Object.entries({ ...usual, ...Object.fromEntries(environment) }),
    host: server.serverName === '' ? '(unknown)' : server.serverName,
    options,
  }
}
