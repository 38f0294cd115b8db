import type { AuthzProvider, Request } from '@gatewright/api'
import type { TlsView } from '@gatewright/api/peers'
import { isSecured } from './secured.ts'

/** `Require ssl`: the connection is secured. */
export function requireSsl(viewOf: (request: Request) => TlsView | null): AuthzProvider {
  return provider('ssl', (request) => isSecured(request, viewOf(request)))
}

/** `Require ssl-verify-client`: the client has shown a certificate, and it was verified. */
export function requireVerifiedClient(viewOf: (request: Request) => TlsView | null): AuthzProvider {
  return provider('ssl-verify-client', (request) => {
    const view = viewOf(request)
    return view !== null && view.clientCertificate !== null && view.verifyResult === 'ok'
  })
}

function provider(name: string, holds: (request: Request) => boolean): AuthzProvider {
  return {
    decidesBy: 'configuration',
    parse: (argument) => {
      if (argument !== '') return `'Require ${name}' does not take arguments`
      return (request) => (holds(request) ? 'granted' : 'denied')
    },
  }
}
