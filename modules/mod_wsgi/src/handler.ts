import {
  DECLINED,
  type HostServices,
  HTTP_FORBIDDEN,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_NOT_FOUND,
  HTTP_SERVICE_UNAVAILABLE,
  httpStatus,
  type MaybePromise,
  type ModuleLog,
  type Outcome,
  type Request,
  type Slot,
} from '@gatewright/api'
import type { AliasOptions, WsgiConfig } from './config.ts'
import type { ProcessConnections } from './connect.ts'
import { type DaemonGroup, EMBEDDED } from './daemon-group.ts'
import { environOf } from './environ.ts'
import { type Placement, placementOf } from './groups.ts'
import type { RunnerConnection } from './runner.ts'
import { Transaction } from './transaction.ts'

/** The handler of WSGIScriptAlias, and the type that makes any file an application. */
const HANDLERS: ReadonlySet<string> = new Set(['wsgi-script', 'application/x-httpd-wsgi'])

/** What requests need of the module. */
export interface WsgiParts {
  readonly services: HostServices
  readonly log: ModuleLog
  readonly connections: ProcessConnections
  readonly aliasOf: Slot<Request, AliasOptions>
  configOf(request: Request): Readonly<WsgiConfig>
  groups(): ReadonlyMap<string, DaemonGroup>
  /** Null in tools, which run no applications, and where Python is missing. */
  runner(): RunnerConnection | null
  readonly isTool: () => boolean
}

/** Passes a request to a process that runs its application, if its file is one. */
export function handleApplication(request: Request, parts: WsgiParts): MaybePromise<Outcome> {
  if (request.handler === null || !HANDLERS.has(request.handler)) return DECLINED
  const { services, log } = parts
  const refuse = (status: Outcome, reason: string): Outcome => {
    log.write(request, 'error', '', `${reason}: ${request.filename}`)
    return status
  }
  const { fileInfo } = request
  const isAliased = request.notes.get('alias-forced-type') === 'wsgi-script'
  if (!isAliased && !request.hasOption('ExecCGI')) return refuse(HTTP_FORBIDDEN, 'Options ExecCGI is off in this directory')
  if (fileInfo === null) return refuse(HTTP_NOT_FOUND, 'Target WSGI script not found or unable to stat')
  if (fileInfo.kind === 'directory') return refuse(HTTP_FORBIDDEN, 'Attempt to invoke directory as WSGI application')
  if (request.pathInfo !== '' && services.programSettings(request).pathInfo === 'off')
    return refuse(HTTP_NOT_FOUND, "AcceptPathInfo off disallows user's path")
  const config = parts.configOf(request)
  if (request.headersIn.has('Transfer-Encoding') && config.chunkedRequest !== true) return httpStatus(411)
  const placement = placementOf(request, config, parts.aliasOf.get(request) ?? null)
  const { processGroup } = placement
  const group = parts.groups().get(processGroup)
  if (config.allowedGroups !== undefined && !config.allowedGroups.has(processGroup))
    return refuse(
      HTTP_INTERNAL_SERVER_ERROR,
      `Daemon process called '${processGroup}' cannot be accessed by this WSGI application`,
    )
  if (group === undefined)
    return refuse(
      HTTP_INTERNAL_SERVER_ERROR,
      processGroup === EMBEDDED
        ? 'Embedded mode of mod_wsgi disabled by runtime configuration'
        : `No WSGI daemon process called '${processGroup}' has been configured`,
    )
  const { server } = request
  if (group.server.isVirtual && group.server !== server && group.server.serverName !== server.serverName)
    return refuse(
      HTTP_INTERNAL_SERVER_ERROR,
      `Daemon process called '${processGroup}' cannot be accessed by this WSGI application`,
    )
  // Tools run no applications: the request was granted.
  if (parts.isTool()) return request.respond('')
  const runner = parts.runner()
  if (runner === null) return refuse(HTTP_SERVICE_UNAVAILABLE, 'No process of Python runs for this WSGI application')
  return run(request, parts, { placement, group, runner, config })
}

interface Found {
  readonly placement: Placement
  readonly group: DaemonGroup
  readonly runner: RunnerConnection
  readonly config: Readonly<WsgiConfig>
}

async function run(request: Request, parts: WsgiParts, { placement, group, runner, config }: Found): Promise<Outcome> {
  const { services, log, connections } = parts
  const { processGroup, applicationGroup } = placement
  request.limitsItsTime = true
  let path: string
  try {
    path = await runner.pathOf(processGroup, applicationGroup)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.write(request, 'error', '', `Unable to start WSGI daemon process '${processGroup}': ${reason}: ${request.filename}`)
    return HTTP_SERVICE_UNAVAILABLE
  }
  const { localAddress: host, localPort: port } = request.connection
  const environ = environOf(request, { services, config, placement, listener: { host, port } })
  const { numbers } = group
  const seconds = numbers['response-socket-timeout'] || numbers['socket-timeout']
  return new Transaction(request, {
    log,
    connections,
    path,
    environ,
    placement,
    timeout: seconds > 0 ? seconds * 1000 : request.server.timeout,
    connectTimeout: numbers['connect-timeout'] * 1000,
    hasBody:
      (request.main === null || request.keptBody !== null) &&
      (request.headersIn.has('Content-Length') || request.headersIn.has('Transfer-Encoding')),
    overridesErrors: config.errorOverride === true,
  }).run()
}
