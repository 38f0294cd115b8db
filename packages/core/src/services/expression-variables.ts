import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { MODULE_MAGIC_NUMBER_MAJOR } from '@gatewright/api'
import { fsPath } from '../base/file-info.ts'
import { productBanner } from '../base/product.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { serverNameInUrl } from '../model/self-reference.ts'
import { knownClientName } from './names/index.ts'
import type { SystemAccounts } from './system-accounts.ts'

type Value = (request: RequestRecord) => string

/** Reads a request header. */
export type HeaderReader = (name: string) => Value

/** For strings: returns the value without side effects. */
export const plainHeader: HeaderReader = (name) => {
  const lower = name.toLowerCase()
  return (request) => request.headersIn.get(lower) ?? ''
}

/** For conditions: reading a header adds it to Vary, because the result of the condition depends on it. */
export const varyingHeader: HeaderReader = (name) => {
  const lower = name.toLowerCase()
  return (request) => {
    if (lower !== 'host') addVary(request, name)
    return request.headersIn.get(lower) ?? ''
  }
}

function addVary(request: RequestRecord, name: string): void {
  const vary = request.headersOut.get('Vary')
  if (vary === undefined) request.headersOut.set('Vary', name)
  else if (
    !vary
      .toLowerCase()
      .split(/\s*,\s*/)
      .includes(name.toLowerCase())
  )
    request.headersOut.set('Vary', `${vary}, ${name}`)
}

const two = (number: number): string => String(number).padStart(2, '0')

function stamp(date: Date): string {
  return `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`
}

/** The file; if it does not exist, its folder, which is what httpd looked up last. */
function ownerOf(request: RequestRecord): { readonly uid: number; readonly gid: number } | undefined {
  if (request.fileInfo !== null) return request.fileInfo
  if (request.filename === '') return undefined
  try {
    return statSync(fsPath(dirname(request.filename)), { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** The variables of expressions, by name in capitals. A missing value is the empty string. */
export function expressionVariables(headerValue: HeaderReader, accounts: SystemAccounts): Readonly<Record<string, Value>> {
  return {
    HTTP_ACCEPT: headerValue('Accept'),
    HTTP_COOKIE: headerValue('Cookie'),
    HTTP_FORWARDED: headerValue('Forwarded'),
    HTTP_HOST: headerValue('Host'),
    HTTP_PROXY_CONNECTION: headerValue('Proxy-Connection'),
    HTTP_REFERER: headerValue('Referer'),
    HTTP_USER_AGENT: headerValue('User-Agent'),
    REQUEST_METHOD: (request) => request.method,
    REQUEST_SCHEME: (request) => request.scheme,
    REQUEST_URI: (request) => request.uri,
    DOCUMENT_URI: (request) => request.existingEnv?.get('DOCUMENT_URI') ?? request.uri,
    REQUEST_FILENAME: (request) => request.filename,
    SCRIPT_FILENAME: (request) => request.filename,
    PATH_INFO: (request) => request.pathInfo,
    QUERY_STRING: (request) => request.args ?? '',
    THE_REQUEST: (request) => request.requestLine,
    REQUEST_STATUS: (request) => String(request.status),
    REMOTE_ADDR: (request) => request.useragentAddress,
    REMOTE_PORT: (request) => String(request.connection.remotePort),
    REMOTE_HOST: (request) => knownClientName(request)?.reported ?? request.useragentAddress,
    REMOTE_USER: (request) => request.user ?? '',
    REMOTE_IDENT: () => '',
    AUTH_TYPE: (request) => request.authType ?? '',
    SERVER_NAME: (request) => serverNameInUrl(request.serverName()),
    SERVER_PORT: (request) => String(request.serverPort()),
    SERVER_PROTOCOL: (request) => request.protocol,
    SERVER_ADMIN: (request) => request.server.serverAdmin ?? '[no address given]',
    SERVER_SOFTWARE: () => productBanner('full'),
    DOCUMENT_ROOT: (request) => request.documentRoot ?? request.server.documentRoot,
    CONTEXT_PREFIX: (request) => request.contextPrefix,
    CONTEXT_DOCUMENT_ROOT: (request) =>
      request.contextDocumentRoot === '' ? request.server.documentRoot : request.contextDocumentRoot,
    IS_SUBREQ: (request) => (request.main === null ? 'false' : 'true'),
    HANDLER: (request) => request.answeredBy ?? request.handler ?? '',
    CONTENT_TYPE: (request) => request.contentType ?? '',
    LAST_MODIFIED: (request) => stamp(new Date(request.modifiedMs)),
    SCRIPT_USER: (request) => {
      const owner = ownerOf(request)
      return (owner === undefined ? null : accounts.userName(owner.uid)) ?? ''
    },
    SCRIPT_GROUP: (request) => {
      const owner = ownerOf(request)
      return (owner === undefined ? null : accounts.groupName(owner.gid)) ?? ''
    },
    REQUEST_LOG_ID: (request) => request.logId?.text ?? '',
    CONN_LOG_ID: ({ connection }) => connection.logId?.text ?? '',
    HTTPS: (request) => (request.scheme === 'https' ? 'on' : 'off'),
    HTTP2: () => 'off',
    IPV6: (request) => (request.connection.remoteAddress.includes(':') ? 'on' : 'off'),
    CONN_REMOTE_ADDR: (request) => request.connection.remoteAddress,
    TIME_YEAR: () => String(new Date().getFullYear()),
    TIME_MON: () => two(new Date().getMonth() + 1),
    TIME_DAY: () => two(new Date().getDate()),
    TIME_HOUR: () => two(new Date().getHours()),
    TIME_MIN: () => two(new Date().getMinutes()),
    TIME_SEC: () => two(new Date().getSeconds()),
    TIME_WDAY: () => String(new Date().getDay()),
    TIME: () => stamp(new Date()),
    API_VERSION: () => String(MODULE_MAGIC_NUMBER_MAJOR),
  }
}
