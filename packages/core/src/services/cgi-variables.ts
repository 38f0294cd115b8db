import { Table } from '@gatewright/api'
import type { HeaderFields } from '@gatewright/http'
import { productBanner, type ServerTokens } from '../base/product.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { serverNameInUrl } from '../model/self-reference.ts'
import { knownClientName } from './names/index.ts'
import { serverSignature } from './signature.ts'

/** The search path of programs, and what it is if the server was started without one. */
const PATH = process.env.PATH ?? '/bin:/usr/bin:/usr/local/bin'

/**
 * The variables of a CGI program (RFC 3875 section 4.1) with those that httpd adds, over the environment of the request: a
 * variable that describes the request replaces one that a module has set.
 */
export function cgiVariables(request: RequestRecord, tokens: ServerTokens): Table {
  const variables = new Table()
  const { existingEnv } = request
  if (existingEnv !== null) {
    for (let i = 0; i < existingEnv.size; i++) variables.set(existingEnv.name(i), existingEnv.value(i))
  }
  addFields(variables, request.headersIn, request.config.core.cgiPassAuth === true)
  addServer(variables, request, tokens)
  addClient(variables, request)
  addRedirect(variables, request)
  addTarget(variables, request)
  return variables
}

/**
 * The fields of the request. `Proxy` would be read as a setting by programs that are clients themselves (CVE-2016-5387), and
 * credentials are those of this server. A name with other characters than letters, digits and `-` could pass for another.
 */
function addFields(variables: Table, fields: HeaderFields, passesAuthorization: boolean): void {
  for (let i = 0; i < fields.length; i++) {
    const key = fields.name(i).toLowerCase()
    const value = fields.value(i)
    if (key === 'content-type') variables.set('CONTENT_TYPE', value)
    else if (key === 'content-length') variables.set('CONTENT_LENGTH', value)
    else if (key === 'proxy' || key === 'proxy-authorization' || (key === 'authorization' && !passesAuthorization)) continue
    else {
      const variable = variableOf(key)
      if (variable !== '') variables.set(variable, value)
    }
  }
}

/** Variables of fields by their names in lower case; a server sees few of them. */
const known = new Map<string, string>()
const KNOWN_MAX = 500

/** @returns '' for a field that is no variable */
function variableOf(key: string): string {
  const found = known.get(key)
  if (found !== undefined) return found
  const variable = /^[a-z0-9-]+$/.test(key) ? `HTTP_${key.toUpperCase().replaceAll('-', '_')}` : ''
  if (known.size < KNOWN_MAX) known.set(key, variable)
  return variable
}

function addServer(variables: Table, request: RequestRecord, tokens: ServerTokens): void {
  const { server, connection } = request
  variables.set('PATH', PATH)
  variables.set('SERVER_SIGNATURE', serverSignature(request, '', tokens))
  variables.set('SERVER_SOFTWARE', productBanner(tokens))
  variables.set('SERVER_NAME', serverNameInUrl(request.serverName()))
  variables.set('SERVER_ADDR', connection.localAddress)
  variables.set('SERVER_PORT', String(request.serverPort()))
  variables.set('DOCUMENT_ROOT', request.documentRoot ?? server.documentRoot)
  variables.set('REQUEST_SCHEME', request.scheme)
  variables.set('CONTEXT_PREFIX', request.contextPrefix)
  variables.set('CONTEXT_DOCUMENT_ROOT', request.contextDocumentRoot === '' ? server.documentRoot : request.contextDocumentRoot)
  variables.set('SERVER_ADMIN', server.serverAdmin ?? '[no address given]')
  variables.set('SCRIPT_FILENAME', request.filename)
}

function addClient(variables: Table, request: RequestRecord): void {
  const name = knownClientName(request)?.reported
  if (name !== undefined && name !== null) variables.set('REMOTE_HOST', name)
  variables.set('REMOTE_ADDR', request.useragentAddress)
  variables.set('REMOTE_PORT', String(request.useragentPort))
  if (request.user !== null) variables.set('REMOTE_USER', request.user)
  else {
    // What was asked for before a redirect may have been protected.
    for (let former = request.prev; former !== null; former = former.prev) {
      if (former.user !== null) variables.set('REDIRECT_REMOTE_USER', former.user)
    }
  }
  if (request.authType !== null) variables.set('AUTH_TYPE', request.authType)
}

function addRedirect(variables: Table, request: RequestRecord): void {
  const former = request.prev
  if (former === null) return
  const qualified = request.config.core.qualifyRedirectUrl === true
  variables.set('REDIRECT_URL', qualified ? former.absoluteUrl(former.uri) : former.uri)
  if (former.args !== null) variables.set('REDIRECT_QUERY_STRING', former.args)
  // The page of an error is fetched with GET.
  if (Number(variables.get('REDIRECT_STATUS')) >= 400) variables.set('REDIRECT_REQUEST_METHOD', former.method)
}

function addTarget(variables: Table, request: RequestRecord): void {
  const { pathInfo, uri } = request
  variables.set('GATEWAY_INTERFACE', 'CGI/1.1')
  variables.set('SERVER_PROTOCOL', request.main === null ? request.protocol : 'INCLUDED')
  variables.set('REQUEST_METHOD', request.method)
  variables.set('QUERY_STRING', request.args ?? '')
  variables.set('REQUEST_URI', requestUri(request))
  // As in httpd, an included program has the whole path.
  const isWhole = pathInfo === '' || request.main !== null
  variables.set('SCRIPT_NAME', isWhole ? uri : uri.slice(0, lengthOfScript(uri, pathInfo)))
  if (pathInfo === '') return
  variables.set('PATH_INFO', pathInfo)
  variables.set('PATH_TRANSLATED', (request.documentRoot ?? request.server.documentRoot) + pathInfo)
}

/** Where the path of a script ends: before the first slash of what the URI's end and the path information have in common. */
function lengthOfScript(uri: string, pathInfo: string): number {
  let at = uri.length
  for (let other = pathInfo.length; at > 0 && other > 0 && uri[at - 1] === pathInfo[other - 1]; other--) at--
  const slash = uri.indexOf('/', at)
  return slash < 0 ? uri.length : slash
}

/** As the client sent it, whatever it was redirected to, unless CGIVar asks for the present one. */
function requestUri(request: RequestRecord): string {
  if (request.config.core.cgiRequestUri === 'current') return request.uri + (request.args === null ? '' : `?${request.args}`)
  let first = request
  for (let former = request.prev ?? request.main; former !== null; former = former.prev ?? former.main) first = former
  return first.target?.text ?? first.unparsedUri
}
