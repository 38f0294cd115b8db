import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { API_VERSION, MODULE_MAGIC_NUMBER_MAJOR, type Request } from '@gatewright/api'
import { utf8Bytes } from '@gatewright/api/text'
import { lookAheadFile, lookAheadUri } from './look-ahead.ts'
import type { Run } from './run.ts'

/** Reads a `%{NAME}` of the request or of the sub-request of a look-ahead; '' if it has no value. */
export type Variable = (run: Run, request: Request) => string

/** The variable with a name; an unknown name is always empty. */
export function variableOf(name: string): Variable {
  const prefix = name.slice(0, 5).toUpperCase()
  const rest = name.slice(5)
  if (rest !== '') {
    if (prefix === 'HTTP:') return (run) => run.readHeader(rest)
    if (prefix === 'LA-U:') return ahead(rest, lookAheadUri)
    if (prefix === 'LA-F:') return ahead(rest, lookAheadFile)
  }
  if (name.length > 4 && prefix.startsWith('ENV:')) {
    const variable = name.slice(4)
    return (_run, { notes, env }) => notes.get(variable) ?? env.get(variable) ?? utf8Bytes(process.env[variable] ?? '')
  }
  if (name.length > 4 && prefix.startsWith('SSL:')) {
    const variable = name.slice(4)
    return (run, request) => run.tlsValue(request, variable)
  }
  const field = HEADERS[name.toUpperCase()]
  if (field !== undefined) return (run) => run.readHeader(field)
  return VARIABLES[name.toUpperCase()] ?? nothing
}

/** Finds the sub-request of a look-ahead, and its path for the log; null if there is none. */
type LookAhead = (run: Run, request: Request) => { readonly path: string; readonly sub: Request } | null

function ahead(name: string, look: LookAhead): Variable {
  const variable = variableOf(name)
  return (run, request) => {
    const found = look(run, request)
    if (found === null) return ''
    const value = variable(run, found.sub)
    run.trace?.write(5, run.directory, `lookahead: path=${found.path} var=${name} -> val=${value}`)
    return value
  }
}

const nothing: Variable = () => ''

const HEADERS: Readonly<Record<string, string>> = {
  HTTP_ACCEPT: 'Accept',
  HTTP_COOKIE: 'Cookie',
  HTTP_FORWARDED: 'Forwarded',
  HTTP_HOST: 'Host',
  HTTP_PROXY_CONNECTION: 'Proxy-Connection',
  HTTP_REFERER: 'Referer',
  HTTP_USER_AGENT: 'User-Agent',
}

const VARIABLES: Readonly<Record<string, Variable>> = {
  TIME_YEAR: () => String(new Date().getFullYear()),
  TIME_MON: () => two(new Date().getMonth() + 1),
  TIME_DAY: () => two(new Date().getDate()),
  TIME_HOUR: () => two(new Date().getHours()),
  TIME_MIN: () => two(new Date().getMinutes()),
  TIME_SEC: () => two(new Date().getSeconds()),
  TIME_WDAY: () => String(new Date().getDay()),
  TIME: () => timeStamp(new Date()),
  API_VERSION: () => `${MODULE_MAGIC_NUMBER_MAJOR}:${API_VERSION.slice(API_VERSION.lastIndexOf('.') + 1)}`,
  AUTH_TYPE: (_run, request) => request.authType ?? '',
  CONN_REMOTE_ADDR: (_run, request) => request.connection.remoteAddress,
  CONTEXT_DOCUMENT_ROOT: (_run, request) =>
    request.contextDocumentRoot === '' ? request.server.documentRoot : request.contextDocumentRoot,
  CONTEXT_PREFIX: (_run, request) => request.contextPrefix,
  DOCUMENT_ROOT: (_run, request) => request.server.documentRoot,
  HTTPS: (run, request) => (run.tlsValue(request, 'HTTPS') === 'on' ? 'on' : 'off'),
  IPV6: (run, request) => {
    const value = request.useragentAddress.includes(':') ? 'on' : 'off'
    run.trace?.write(1, run.directory, `IPV6='${value}'`)
    return value
  },
  IS_SUBREQ: (_run, request) => (request.main === null ? 'false' : 'true'),
  PATH_INFO: (_run, request) => request.pathInfo,
  QUERY_STRING: (_run, request) => request.args ?? '',
  REMOTE_ADDR: (_run, request) => request.useragentAddress,
  REMOTE_HOST: (run, request) => run.services.knownRemoteHost(request) ?? request.useragentAddress,
  REMOTE_PORT: (_run, request) => String(request.connection.remotePort),
  REMOTE_USER: (_run, request) => request.user ?? '',
  REQUEST_FILENAME: (_run, request) => request.filename,
  REQUEST_METHOD: (_run, request) => request.method,
  REQUEST_SCHEME: (_run, request) => request.scheme,
  REQUEST_URI: (_run, request) => request.uri,
  SCRIPT_FILENAME: (_run, request) => request.filename,
  SCRIPT_GROUP: (run, request) => owner(run, request, (info) => run.services.groupName(info.gid)),
  SCRIPT_USER: (run, request) => owner(run, request, (info) => run.services.userName(info.uid)),
  SERVER_ADDR: (_run, request) => request.connection.localAddress,
  SERVER_ADMIN: (_run, request) => request.server.serverAdmin ?? '[no address given]',
  SERVER_NAME: (_run, request) => inUrl(request.serverName()),
  SERVER_PORT: (_run, request) => String(request.serverPort()),
  SERVER_PROTOCOL: (_run, request) => request.protocol,
  SERVER_SOFTWARE: (run) => run.services.serverBanner(),
  THE_REQUEST: (_run, request) => request.requestLine,
}

/** Encloses an IPv6 address in brackets. */
function inUrl(name: string): string {
  return name.includes(':') ? `[${name}]` : name
}

interface Owner {
  readonly uid: number
  readonly gid: number
}

/**
 * The owner of the file if it exists, else of its folder. While the server's rules are applied, neither is
 * known yet.
 */
function owner(run: Run, request: Request, nameOf: (info: Owner) => string | null): string {
  const info = request.fileInfo ?? (run.directory === null ? undefined : ownerOfFolder(request.filename))
  return (info === undefined ? null : nameOf(info)) ?? '<unknown>'
}

function ownerOfFolder(filename: string): Owner | undefined {
  try {
    return statSync(Buffer.from(dirname(filename), 'latin1'), { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

const two = (number: number): string => String(number).padStart(2, '0')

function timeStamp(now: Date): string {
  const day = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`
  return `${day}${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`
}
