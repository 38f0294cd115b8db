import type { ForeignRequest, InputFilter, MaybePromise, Outcome, OutputFilter, SubResponse } from '@gatewright/api'
import type { BodyRequest } from '@gatewright/http'
import type { RequestHost } from '../model/request-host.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { requestServerName, requestServerPort } from '../model/self-reference.ts'
import type { ProviderRegistry } from '../modules/provider-registry.ts'
import { sendInterim } from '../response/interim.ts'
import { outcomeOfConditions } from '../response/request-conditions.ts'
import { setValidators } from '../response/set-validators.ts'
import type { CoreLog } from '../services/error-log.ts'
import { RequestWork, STANDARD_COMPUTING_TIME } from '../work/request-work.ts'
import type { TurnQueue } from '../work/turn-queue.ts'
import type { DefaultHandlerContext } from './default-handler.ts'
import type { RequestEnd } from './finish.ts'
import type { ForeignRequests } from './foreign-requests.ts'
import type { InternalRedirects } from './internal-redirect.ts'
import type { RequestBodies } from './request-bodies.ts'
import type { Subrequests } from './subrequests.ts'

export interface RequestServicesParts {
  readonly redirects: InternalRedirects
  readonly end: RequestEnd
  readonly subrequests: Subrequests
  readonly foreign: ForeignRequests
  readonly bodies: RequestBodies
  readonly providers: ProviderRegistry
  readonly files: DefaultHandlerContext
  readonly turns: TurnQueue
  readonly log: CoreLog
}

/** Services that modules request from the server. */
export class RequestServices implements RequestHost {
  readonly end: RequestEnd
  readonly #parts: RequestServicesParts

  constructor(parts: RequestServicesParts) {
    this.end = parts.end
    this.#parts = parts
  }

  newWork({ server }: RequestRecord): RequestWork {
    return new RequestWork(this.#parts.turns, server.core.computingTime ?? STANDARD_COMPUTING_TIME)
  }

  lookupUri(request: RequestRecord, uri: string, method: string): MaybePromise<RequestRecord> {
    return this.#parts.subrequests.lookupUri(request, uri, method)
  }

  lookupForeign(request: RequestRecord, foreign: ForeignRequest): MaybePromise<RequestRecord> {
    return this.#parts.foreign.lookup(request, foreign)
  }

  lookupFile(request: RequestRecord, path: string): MaybePromise<RequestRecord> {
    return this.#parts.subrequests.lookupFile(request, path)
  }

  lookupEntry(request: RequestRecord, name: string, args: string | null): MaybePromise<RequestRecord> {
    return this.#parts.subrequests.lookupEntry(request, name, args)
  }

  runSubrequest(sub: RequestRecord): MaybePromise<SubResponse> {
    return this.#parts.subrequests.run(sub)
  }

  internalRedirect(request: RequestRecord, uri: string, contentType: string | null): MaybePromise<Outcome> {
    return this.#parts.redirects.redirect(request, uri, contentType)
  }

  discardBody(request: RequestRecord): MaybePromise<Outcome> {
    return this.#parts.bodies.discard(request)
  }

  readBody(request: RequestRecord, asks: BodyRequest): AsyncGenerator<Uint8Array> {
    return this.#parts.bodies.read(request, asks)
  }

  inputFilter(request: RequestRecord, name: string): InputFilter | null {
    return this.#parts.providers.inputFilters.get(name) ?? this.#unknownFilter(request, name)
  }

  outputFilter(request: RequestRecord, name: string): OutputFilter | null {
    return this.#parts.providers.outputFilters.get(name) ?? this.#unknownFilter(request, name)
  }

  meetsConditions(request: RequestRecord): Outcome {
    return outcomeOfConditions(request)
  }

  setValidators(request: RequestRecord): void {
    if (request.fileInfo !== null) setValidators(request, request.fileInfo, this.#parts.files.validators)
  }

  readonly sendInterim: RequestHost['sendInterim'] = sendInterim

  serverName(request: RequestRecord): string {
    return requestServerName(request)
  }

  serverPort(request: RequestRecord): number {
    return requestServerPort(request)
  }

  #unknownFilter(request: RequestRecord, name: string): null {
    // httpd reports it without the request.
    this.#parts.log.write(request.connection, 'error', 'AH00082', `an unknown filter was not added: ${name}`)
    return null
  }
}
