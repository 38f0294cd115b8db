import type { RequestRecord } from './request-record.ts'

/** The server's name in URLs that refer to the server itself (UseCanonicalName). */
export function requestServerName(request: RequestRecord): string {
  const { connection, server } = request
  switch (request.config.core.useCanonicalName) {
    case 'on':
      return server.serverName
    case 'dns':
      // Without a name in the request, the connection keeps the name of the first server that needed one.
      connection.localName ??= server.serverName
      return connection.localName
  }
  return request.namesHost ? request.hostname : request.server.serverName
}

/** The same for URLs and variables: an IPv6 address is in brackets. */
export function serverNameInUrl(name: string): string {
  return name.includes(':') ? `[${name}]` : name
}

/** scheme://host[:port] of the server, without the scheme's default port. */
export function ownUrl(request: RequestRecord): string {
  const { scheme } = request
  const port = request.serverPort()
  const standard = scheme === 'https' ? 443 : 80
  return `${scheme}://${serverNameInUrl(request.serverName())}${port === standard ? '' : `:${port}`}`
}

/** The matching port: the client's, then that of ServerName; the scheme's default if neither is given. */
export function requestServerPort(request: RequestRecord): number {
  const { core } = request.config
  const standard = request.scheme === 'https' ? 443 : 80
  const physical = core.useCanonicalPhysicalPort === true ? request.connection.localPort : 0
  const canonical = request.server.serverPort
  if (core.useCanonicalName === 'on') return canonical || physical || standard
  return request.hostPort || physical || canonical || standard
}
