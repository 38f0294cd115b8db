import type { Request } from '@gatewright/api'

/**
 * The key under which credentials are stored. Its parts are kept distinct, so that a user name cannot match a
 * user of another context.
 * @param realm null for passwords
 */
export function cacheKey(request: Request, context: string, user: string, realm: string | null): string {
  return JSON.stringify([placeOf(request, context), user, realm])
}

/**
 * `directory` is the folder of the URL on this server, `server` is the server; any other context is a name
 * that sections share.
 */
function placeOf({ server, uri }: Request, context: string): string {
  if (context === 'directory') return server.serverName + uri.slice(0, Math.max(0, uri.lastIndexOf('/')))
  return context === 'server' ? server.serverName : context
}
