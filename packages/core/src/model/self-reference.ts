import type { RequestRecord } from './request-record.ts'

/** The server's name in URLs that it makes of itself (UseCanonicalName). */
export function requestServerName(request: RequestRecord): string {
  const { connection, server } = request
  switch (request.config.core.useCanonicalName) {
    case 'on':
      return server.serverName
    case 'dns':
      // Without a name it is that of the first server that was asked for it, for as long as the connection lasts.
      connection.localName ??= server.serverName
      return connection.localName
  }
  return request.namesHost ? request.hostname : request.server.serverName
}

/** The same for URLs and variables: an IPv6 address stands in brackets. */
export function serverNameInUrl(name: string): string {
  return name.includes(':') ? `[${name}]` : name
}

/** The port that goes with it: the client's, then that of ServerName; the scheme's own where none was named. */
export function requestServerPort(request: RequestRecord): number {
  const { core } = request.config
  const standard = request.server.scheme === 'https' ? 443 : 80
  const physical = core.useCanonicalPhysicalPort === true ? request.connection.localPort : 0
  const canonical = request.server.serverPort
  if (core.useCanonicalName === 'on') return canonical || physical || standard
  return request.hostPort || physical || canonical || standard
}
