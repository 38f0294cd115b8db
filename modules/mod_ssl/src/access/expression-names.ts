import type { ExpressionNames, Request } from '@gatewright/api'
import { isSecured } from './secured.ts'
import { tlsVariable, type VariableSources } from './tls-variables.ts'

/**
 * `%{SSL_...}`, of which every name is accepted, `%{HTTPS}`, `SSL(word)`, `%{SSL:name}` and
 * `PeerExtList(word)`.
 */
export function expressionNames(sources: VariableSources): ExpressionNames {
  return {
    variable: (name) => {
      if (name === 'HTTPS') return (request) => (isSecured(request, sources.viewOf(request)) ? 'on' : 'off')
      if (name === 'REQUEST_SCHEME') return (request) => request.scheme
      if (!name.startsWith('SSL_')) return undefined
      const rest = name.slice('SSL_'.length)
      return (request) => tlsVariable(sources, request, rest) ?? ''
    },
    stringFunction: (name) => (name === 'ssl' ? (request, argument) => requestValue(sources, request, argument) : undefined),
    listFunction: (name) => {
      if (name !== 'peerextlist') return undefined
      return (request, identifier) => {
        const certificate = sources.viewOf(request)?.clientCertificate ?? null
        return certificate === null ? [] : sources.certificates.extension(certificate, identifier)
      }
    },
  }
}

/** What the function `SSL` and SSLUserName look up: any variable of TLS, HTTPS or a few of the request. */
export function requestValue(sources: VariableSources, request: Request, name: string): string {
  const upper = name.toUpperCase()
  if (upper.startsWith('SSL_')) return tlsVariable(sources, request, upper.slice('SSL_'.length)) ?? ''
  if (upper === 'REQUEST_SCHEME') return request.scheme
  if (upper === 'HTTPS') return isSecured(request, sources.viewOf(request)) ? 'on' : 'off'
  return REQUEST_VALUES[upper]?.(request) ?? ''
}

const header =
  (name: string) =>
  (request: Request): string | undefined =>
    request.headersIn.get(name)

const REQUEST_VALUES: Readonly<Record<string, (request: Request) => string | undefined | null>> = {
  HTTP_USER_AGENT: header('User-Agent'),
  HTTP_REFERER: header('Referer'),
  HTTP_COOKIE: header('Cookie'),
  HTTP_FORWARDED: header('Forwarded'),
  HTTP_HOST: header('Host'),
  HTTP_ACCEPT: header('Accept'),
  REQUEST_METHOD: (request) => request.method,
  REQUEST_URI: (request) => request.uri,
  REQUEST_FILENAME: (request) => request.filename,
  SCRIPT_FILENAME: (request) => request.filename,
  REMOTE_ADDR: (request) => request.useragentAddress,
  REMOTE_USER: (request) => request.user,
  SERVER_ADMIN: ({ server }) => server.serverAdmin,
  PATH_INFO: (request) => request.pathInfo,
  QUERY_STRING: (request) => request.args,
  AUTH_TYPE: (request) => request.authType,
}
