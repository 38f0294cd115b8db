import type { Request } from '@gatewright/api'
import type { AliasOptions, WsgiConfig } from './config.ts'

/** Which processes run the application of a request, and how. */
export interface Placement {
  readonly processGroup: string
  readonly applicationGroup: string
  readonly callableObject: string
  readonly passAuthorization: boolean
}

const STANDARD_PORTS: ReadonlySet<number> = new Set([80, 443])

/** What the configuration says, with `%{...}` replaced. @param options those of the alias of the request, if it has one */
export function placementOf(request: Request, config: Readonly<WsgiConfig>, options: AliasOptions | null): Placement {
  const application = options?.applicationGroup ?? config.applicationGroup ?? '%{RESOURCE}'
  return {
    processGroup: nameOf(request, options?.processGroup ?? config.processGroup ?? ''),
    applicationGroup: application === '%{RESOURCE}' ? resourceOf(request) : nameOf(request, application),
    callableObject: callableOf(request, options?.callableObject ?? config.callableObject ?? 'application'),
    passAuthorization: options?.passAuthorization ?? config.passAuthorization ?? false,
  }
}

/** `SERVER:PORT|SCRIPT`, without the port if it is the usual one. */
function resourceOf(request: Request): string {
  return `${serverOf(request)}|${scriptName(request).toLowerCase()}`
}

function serverOf(request: Request): string {
  const port = request.serverPort()
  const { serverName } = request.server
  return STANDARD_PORTS.has(port) ? serverName : `${serverName}:${port}`
}

/** The path of the URL without path information. As in mod_wsgi, repeated slashes at its start are one. */
export function scriptName({ uri, pathInfo }: Request): string {
  const path = pathInfo !== '' && uri.endsWith(pathInfo) ? uri.slice(0, uri.length - pathInfo.length) : uri
  return path.replace(/^\/{2,}/, '/')
}

function nameOf(request: Request, text: string): string {
  if (!text.startsWith('%{')) return text
  if (text === '%{GLOBAL}') return ''
  if (text === '%{RESOURCE}') return resourceOf(request)
  if (text === '%{SERVER}') return serverOf(request)
  if (text === '%{HOST}') return request.serverName().toLowerCase()
  const variable = variableOf(request, text)
  if (variable === null) return text
  // As in mod_wsgi, the value of a variable may be one of these words.
  return variable.startsWith('%{ENV:') ? variable : nameOf(request, variable)
}

function callableOf(request: Request, text: string): string {
  return variableOf(request, text) ?? text
}

/** The value of `%{ENV:NAME}`, empty if there is none; null for another text. */
function variableOf(request: Request, text: string): string | null {
  const name = /^%\{ENV:([^}]*)\}$/.exec(text)?.[1]
  if (name === undefined) return null
  return request.notes.get(name) ?? request.env.get(name) ?? process.env[name] ?? ''
}
