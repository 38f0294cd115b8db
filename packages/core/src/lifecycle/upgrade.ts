import { DECLINED, DONE, OK, type Outcome } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'
import type { ProtocolSwitch } from '../response/protocol-switch.ts'

/** What decides about the field Upgrade of requests. */
export interface Upgrades {
  /** The switch to one of the protocols that the client offers; null to continue with the present one. */
  switchFor(request: RequestRecord, offers: string): ProtocolSwitch | null
}

const SWITCHING_PROTOCOLS = 101

/**
 * httpd's first handler: answers a request that may continue with another protocol, or else names the preferred protocols
 * of the server in the first response of a connection.
 */
export function upgradeHandler(upgrades: Upgrades): (request: RequestRecord) => Outcome {
  return (request) => {
    const { exchange, connection, main } = request
    if (exchange === null || main !== null || exchange.isStream) return DECLINED
    const offers = exchange.fields.get('upgrade')
    if (offers !== undefined && offers !== '') {
      const next = upgrades.switchFor(request, offers)
      if (next === null) return DECLINED
      request.status = SWITCHING_PROTOCOLS
      request.existingHeadersOut?.clear()
      request.body = next
      return OK
    }
    if (connection.keepalives === 0) announce(request)
    return DECLINED
  }
}

/** `OPTIONS *`, which ends before any handler. */
export function asksAboutServer({ method, uri }: RequestRecord): boolean {
  return method === 'OPTIONS' && uri === '*'
}

/** The same for a request that is about no file. */
export function upgradeWithoutFile(upgrades: Upgrades): (request: RequestRecord) => Outcome {
  const upgrade = upgradeHandler(upgrades)
  return (request) => (request.headersIn.has('upgrade') && upgrade(request) === OK ? DONE : OK)
}

const HTTP_1_1 = 'http/1.1'

/** Names the protocols of the server that it prefers to HTTP/1.1. */
function announce(request: RequestRecord): void {
  const { protocols } = request.server
  const place = protocols.indexOf(HTTP_1_1)
  const preferred = place < 0 ? protocols : protocols.slice(0, place)
  if (preferred.length === 0) return
  request.headersOut.set('Upgrade', preferred.join(','))
  request.headersOut.set('Connection', 'Upgrade')
}
