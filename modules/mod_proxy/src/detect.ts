import { DECLINED, OK, type OptionalFunctions, type Outcome, type Request } from '@gatewright/api'
import { servesName } from '@gatewright/api/peers'
import type { ServerConfig } from './config.ts'

/**
 * Finds the requests of clients that use the server as a proxy: their target names another server. Only ProxyRequests
 * opens this.
 */
export function detectForward(request: Request, config: Readonly<ServerConfig>, functions: OptionalFunctions): Outcome {
  if (config.requests !== true) return DECLINED
  const { target } = request
  if (target === null || request.prev !== null) return DECLINED
  // OPTIONS for a URL without a path is about the server that it names.
  if (target.form !== 'authority' && target.scheme !== '') {
    if (target.host !== null && target.scheme === request.scheme) {
      const port = target.port === 0 ? STANDARD_PORTS[target.scheme] : target.port
      if (functions.get(servesName)?.(request.server, target.host.toLowerCase(), port) === true) return DECLINED
    }
  } else if (request.method !== 'CONNECT' || target.form !== 'authority' || target.port === 0) return DECLINED
  request.proxyRequest = 'forward'
  request.uri = target.text
  request.unparsedUri = target.text
  request.filename = `proxy:${target.text}`
  request.handler = 'proxy-server'
  return OK
}

const STANDARD_PORTS = { http: 80, https: 443 } as const
