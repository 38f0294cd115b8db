import {
  type ForeignRequest,
  HTTP_FORBIDDEN,
  HTTP_INTERNAL_SERVER_ERROR,
  type MaybePromise,
  type ModuleHost,
  type Outcome,
  type Request,
  whenSettled,
} from '@gatewright/api'
import { type ForwardingPeer, forwardingPeerOf } from '@gatewright/api/peers'
import { DecisionNotes, traceDirective } from '@gatewright/api/tracing'
import { AddressReader } from '@gatewright/ipset'
import { describeUser, giveReason, passOn, refusalFor } from './answer.ts'
import { clientOf, isTrusted } from './client.ts'
import type { AuthRequestConfig, ProxyFields } from './config.ts'
import { isAmbiguous, readQuestion } from './question.ts'

/** What is asked about, with the notes from which the reason is made. */
interface AskedRequest extends ForeignRequest {
  readonly observer: DecisionNotes | null
}

/** Answers the questions of proxies. */
export class Endpoint {
  readonly #host: ModuleHost<AuthRequestConfig, undefined>
  readonly #addresses = new AddressReader()

  constructor(host: ModuleHost<AuthRequestConfig, undefined>) {
    this.#host = host
  }

  answer(request: Request): MaybePromise<Outcome> {
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
    const question = readQuestion(
      { headersIn: request.headersIn, method: request.method, target: request.unparsedUri },
      fields.names,
    )
    if (typeof question === 'string') return this.#refuseQuestion(request, question)
    const clientAddress = clientOf(request, fields.names, peer, services)
    if (clientAddress === null) {
      return this.#refuseQuestion(request, `the client's address is missing or invalid (${fields.names.client ?? 'no field'})`)
    }
    const { method, target, host, scheme } = question
    if (config.paths !== 'any' && isAmbiguous(target)) {
      return this.#refuseQuestion(request, `servers may read the path of ${target} differently (AuthRequestPaths strict)`)
    }
    const notes = (config.reason ?? null) === null ? null : new DecisionNotes()
    const asked = { method, target, host, scheme, clientAddress, clientPort: 0, without: fields.added, observer: notes }
    const decided = request.lookupForeign(asked)
    // Requests that need not wait are answered at once: a promise costs a fifth of a refusal.
    if (!(decided instanceof Promise)) return this.#answerAs(request, decided, config, fields, asked)
    return decided.then((settled) => this.#answerAs(request, settled, config, fields, asked))
  }

  #answerAs(
    request: Request,
    decided: Request,
    config: Readonly<AuthRequestConfig>,
    fields: ProxyFields,
    { method, target, clientAddress, observer }: AskedRequest,
  ): MaybePromise<Outcome> {
    if (request.tracer !== null) {
      traceDirective(request, 'SetHandler', null, `asks about ${method} ${target} of ${clientAddress}: ${decided.status}`)
    }
    request.user = decided.user
    request.authType = decided.authType
    request.refusedBy = decided.refusedBy
    passOn(request, decided)
    const { reason = null } = config
    if (reason !== null && observer !== null) giveReason(request, decided, reason, observer, this.#host.log)
    if (decided.status !== 200) return refusalFor(decided.status, fields)
    const described = describeUser(request, decided, config, this.#host.log)
    // Without a field about the user, a backend might serve another user.
    return whenSettled(described, (isComplete) => (isComplete ? request.send('text/plain', '') : HTTP_INTERNAL_SERVER_ERROR))
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
