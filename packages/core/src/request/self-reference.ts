import type { RequestRecord } from './request-record.ts'

/** The server's name in URLs that it makes of itself (UseCanonicalName). */
export function requestServerName(request: RequestRecord): string {
  if (request.config.core.useCanonicalName === 'on') return request.server.serverName
  return request.hostname === '' ? request.server.serverName : request.hostname
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
