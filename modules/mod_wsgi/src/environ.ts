import { randomBytes } from 'node:crypto'
import type { HostServices, Request, Table } from '@gatewright/api'
import type { WsgiConfig } from './config.ts'
import { EMBEDDED } from './daemon-group.ts'
import { type Placement, scriptName } from './groups.ts'

/** What applications learn of the server: the version that it reproduces. */
const HTTPD_VERSION = '2.4.71'

/** What the variables are made of. */
export interface EnvironParts {
  readonly services: HostServices
  readonly config: Readonly<WsgiConfig>
  readonly placement: Placement
  /** The address and the port on which the server received the request. */
  readonly listener: { readonly host: string; readonly port: number }
}

/** The variables of a request for an application: those of CGI and of mod_wsgi. The process adds what are objects of Python. */
export function environOf(request: Request, { services, config, placement, listener }: EnvironParts): Table {
  const environ = services.cgiVariables(request)
  environ.unset('PATH')
  const authorization = request.headersIn.get('Authorization')
  if (placement.passAuthorization && authorization !== undefined) environ.set('HTTP_AUTHORIZATION', authorization)
  const script = scriptName(request)
  environ.set('SCRIPT_NAME', script)
  environ.set('PATH_INFO', request.pathInfo.replace(/^\/{2,}/, '/'))
  if (request.method === 'HEAD' && config.mapHead === 'on') environ.set('REQUEST_METHOD', 'GET')
  const own: readonly (readonly [string, string])[] = [
    ['apache.version', HTTPD_VERSION],
    ['mod_wsgi.url_scheme', request.scheme],
    ['mod_wsgi.script_name', script],
    ['mod_wsgi.path_info', environ.get('PATH_INFO') ?? ''],
    ['mod_wsgi.process_group', placement.processGroup],
    ['mod_wsgi.application_group', placement.applicationGroup],
    ['mod_wsgi.callable_object', placement.callableObject],
    ['mod_wsgi.request_handler', request.handler ?? ''],
    ['mod_wsgi.handler_script', ''],
    ['mod_wsgi.script_reloading', config.scriptReloading === false ? '0' : '1'],
    ['mod_wsgi.listener_host', listener.host],
    ['mod_wsgi.listener_port', String(listener.port)],
    ['mod_wsgi.enable_sendfile', config.enableSendfile === true ? '1' : '0'],
    ['mod_wsgi.ignore_activity', config.ignoreActivity === true ? '1' : '0'],
    ['mod_wsgi.request_start', String(Math.round(request.receivedAt * 1000))],
    ['mod_wsgi.request_id', randomBytes(8).toString('base64').slice(0, 11)],
  ]
  for (const [name, value] of own) environ.set(name, value)
  return environ
}

/** Adds what an attempt to reach a process is known by. In the group without name, applications do not learn it. */
export function addAttempt(environ: Table, { processGroup }: Placement, connects: number, restarts: number): void {
  if (processGroup === EMBEDDED) return
  environ.set('mod_wsgi.queue_start', String(Math.round((performance.timeOrigin + performance.now()) * 1000)))
  environ.set('mod_wsgi.daemon_connects', String(connects))
  environ.set('mod_wsgi.daemon_restarts', String(restarts))
}
