import type { Request } from '@gatewright/api'
import type { TlsView } from '@gatewright/api/peers'

/** Whether the client's connection is secured, by this module or by the server that asks about the request. */
export function isSecured(request: Request, view: TlsView | null): boolean {
  return view !== null || request.connection.foreignScheme === 'https'
}
