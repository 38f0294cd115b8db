import { HTTP_FORBIDDEN, HTTP_INTERNAL_SERVER_ERROR, type ModuleHost, type Outcome, type Request } from '@gatewright/api'
import { type ForwardingPeer, forwardingPeerOf } from '@gatewright/api/peers'
import { DecisionNotes, traceDirective } from '@gatewright/api/tracing'
import { AddressReader } from '@gatewright/ipset'
import { describeUser, giveReason, passOn, refusalFor } from './answer.ts'
import { clientOf, isTrusted } from './client.ts'
import type { AuthRequestConfig } from './config.ts'
import { isAmbiguous, readQuestion } from './question.ts'

/** Answers the questions of proxies. */
export class Endpoint {
  readonly #host: ModuleHost<AuthRequestConfig, undefined>
  readonly #addresses = new AddressReader()

  constructor(host: ModuleHost<AuthRequestConfig, undefined>) {
    this.#host = host
  }

  async answer(request: Request): Promise<Outcome> {
    const { configOf, functions, services } = this.#host
    const config = configOf(request)
    const { fields } = config
    request.errHeadersOut.set('Cache-Control', 'no-store')
    if (fields === undefined) {
      this.#log(request, 'the handler auth-request needs AuthRequestFields with the kind of proxy, such as nginx')
      return HTTP_INTERNAL_SERVER_ERROR
    }
    const peer = functions.get(forwardingPeerOf)?.(request) ?? null
    if (!isTrusted(request, config, peer, this.#addresses)) return this.#refuseQuestion(request, untrusted(request, config, peer))
    const { headersIn, method, unparsedUri } = request
    const question = readQuestion({ headersIn, method, target: unparsedUri }, fields.names)
    if (typeof question === 'string') return this.#refuseQuestion(request, question)
    const clientAddress = clientOf(request, fields.names, peer, services)
    if (clientAddress === null) {
      return this.#refuseQuestion(request, `the client's address is missing or invalid (${fields.names.client ?? 'no field'})`)
    }
    if (config.paths !== 'any' && isAmbiguous(question.target)) {
      return this.#refuseQuestion(
        request,
        `servers may read the path of ${question.target} differently (AuthRequestPaths strict)`,
      )
    }
    const reason = config.reason ?? null
    const observer = reason === null ? null : new DecisionNotes()
    const decided = await request.lookupForeign({ ...question, clientAddress, clientPort: 0, without: fields.added, observer })
    const granted = decided.status === 200
    traceDirective(
      request,
      'SetHandler',
      null,
      `asks about ${question.method} ${question.target} of ${clientAddress}: ${decided.status}`,
    )
    request.user = decided.user
    request.authType = decided.authType
    request.refusedBy = decided.refusedBy
    passOn(request, decided)
    if (reason !== null && observer !== null) giveReason(request, decided, reason, observer, this.#host.log)
    if (!granted) return refusalFor(decided.status, fields)
    // Without a field about the user, a backend might serve another user.
    if (!(await describeUser(request, decided, config, this.#host.log))) return HTTP_INTERNAL_SERVER_ERROR
    return request.send('text/plain', '')
  }

  #refuseQuestion(request: Request, why: string): Outcome {
    request.refusedBy = 'auth-request'
    this.#log(request, `the question is refused: ${why}`)
    return HTTP_FORBIDDEN
  }

  #log(request: Request, text: string): void {
    this.#host.log.write(request, 'error', '', text)
  }
}

function untrusted({ connection }: Request, { trusted }: Readonly<AuthRequestConfig>, peer: ForwardingPeer | null): string {
  const address = connection.remoteAddress
  if (trusted !== undefined) return `AuthRequestTrust does not name ${address}`
  if (peer === null) return `${address} is not trusted: add AuthRequestTrust, or load mod_remoteip with RemoteIPTrustedProxy`
  return `${address} is not trusted: neither AuthRequestTrust nor a list of proxies of mod_remoteip names it`
}
