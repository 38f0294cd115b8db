import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import {
  authTypeOf,
  type DecisionTracer,
  DONE,
  HTTP_BAD_REQUEST,
  HTTP_INTERNAL_SERVER_ERROR,
  httpStatus,
  type InputFilter,
  M_OPTIONS,
  type MaybePromise,
  OK,
  type Outcome,
  type OutputFilter,
  requestReadTimedOut,
  type SubResponse,
  type WorkerStatus,
} from '@gatewright/api'
import {
  type ConnectionSettings,
  type Displaced,
  type EngineHost,
  type Exchange,
  type HttpConnection,
  HttpEngine,
  type LocalAddress,
  type Refusal,
  type Transport,
} from '@gatewright/http'
import type { Generation } from '../config/generation.ts'
import type { SortedHook } from '../modules/hook-registry.ts'
import { isThenable } from '../modules/thenable.ts'
import { productBanner } from '../product.ts'
import { ConnectionRecord } from '../request/connection-record.ts'
import { deadlineOf } from '../request/deadline.ts'
import { type DefaultHandlerContext, defaultHandler, outcomeOfConditions, setValidators } from '../request/default-handler.ts'
import { answerError, type ErrorContext, makeErrorPage } from '../request/error-response.ts'
import type { StatCache } from '../request/file-info.ts'
import type { HookRunner } from '../request/hook-runner.ts'
import { Redirects } from '../request/redirects.ts'
import { RefusalNotes } from '../request/refusal-notes.ts'
import { RequestBodies } from '../request/request-bodies.ts'
import { type RequestHost, RequestRecord } from '../request/request-record.ts'
import { isForProxy } from '../request/request-target.ts'
import { FROM_URI, type Road } from '../request/road.ts'
import { requestServerName, requestServerPort } from '../request/self-reference.ts'
import { ServerChoice } from '../request/server-choice.ts'
import { subResponse } from '../request/sub-response.ts'
import { logHookFailure, type VoidHook } from '../request/void-hook.ts'
import { FilterChain } from '../response/filter-chain.ts'
import { applyVersionVariables } from '../response/forced-version.ts'
import { findInvalidField } from '../response/own-fields.ts'
import { Responder } from '../response/responder.ts'
import { serverSignature } from '../response/signature.ts'
import { VirtualHostTable } from '../server/virtual-hosts.ts'
import type { ConfigServicesImpl } from '../services/config-services.ts'
import type { CoreLog } from '../services/error-log.ts'
import type { FileCache } from '../services/file-cache.ts'
import { FileDigests } from '../services/file-digests.ts'
import { ValidatorCache } from '../services/validator-cache.ts'
import { RequestWork, STANDARD_COMPUTING_TIME } from '../work/request-work.ts'
import type { TurnQueue } from '../work/turn-queue.ts'
import { StatusKeeper } from './status-keeper.ts'

/** Handler of folders that nothing else was set for. */
const DIRECTORY_HANDLER = 'httpd/unix-directory'
/** What handlers see where neither a handler nor a type is known. */
const DEFAULT_HANDLER = 'default-handler'

/** Hooks that are run here; those of the road run there. */
export interface ServingHooks {
  readonly preConnection: VoidHook<ConnectionRecord>
  readonly postReadRequest: HookRunner
  readonly insertFilter: VoidHook<RequestRecord>
  readonly handler: HookRunner
  readonly noteAuthFailure: SortedHook<(request: RequestRecord, authType: string) => Outcome>
  readonly insertErrorFilter: VoidHook<RequestRecord>
  readonly fixupHeaders: VoidHook<RequestRecord>
  readonly logTransaction: VoidHook<RequestRecord>
}

export interface ServingParts {
  readonly generation: Generation
  readonly services: ConfigServicesImpl
  readonly road: Road
  readonly hooks: ServingHooks
  readonly stats: StatCache
  readonly files: FileCache
  readonly turns: TurnQueue
}

/** Serves requests by one generation of the configuration: what the engine hands over goes down the road, to a handler, and out again. */
export class Serving implements EngineHost, RequestHost, ErrorContext {
  readonly engine: HttpEngine
  readonly status: StatusKeeper
  readonly log: CoreLog
  private readonly parts: ServingParts
  private readonly turns: TurnQueue
  private readonly hosts: VirtualHostTable
  private readonly redirects: Redirects
  private readonly responder: Responder
  private readonly filterChain: FilterChain
  private readonly httpLog: CoreLog
  private readonly refusals: RefusalNotes
  private readonly bodies: RequestBodies
  private readonly serverChoice: ServerChoice
  private readonly handlerContext: DefaultHandlerContext

  constructor(parts: ServingParts) {
    this.parts = parts
    this.turns = parts.turns
    const { generation, services } = parts
    this.log = services.coreLog
    this.httpLog = services.errorLogs.forModule({ shortName: 'http', source: 'http_filters.c' })
    this.refusals = new RefusalNotes(this.log, this.httpLog)
    this.bodies = new RequestBodies(this.refusals)
    this.serverChoice = new ServerChoice(this.log)
    this.hosts = new VirtualHostTable(generation.main, generation.virtualHosts)
    this.redirects = new Redirects(parts.road, parts.stats, this.log)
    this.responder = new Responder(productBanner(generation.process.serverTokens), parts.files, this.log)
    this.filterChain = new FilterChain(parts.files, this.log)
    const { stats, files } = parts
    const digests = new FileDigests(files, services.blocks)
    this.handlerContext = { stats, files, digests, validators: new ValidatorCache(digests), log: this.log }
    this.status = new StatusKeeper(generation.process.extendedStatus ?? generation.registry.find('status_module') !== undefined)
    this.engine = new HttpEngine(this)
  }

  // The engine's counterpart.

  settings(connection: HttpConnection): ConnectionSettings {
    return this.connectionRecord(connection).baseServer.connectionSettings
  }

  onRequest(exchange: Exchange): void {
    const connection = this.connectionRecord(exchange.connection)
    const request = new RequestRecord(this, connection, exchange, connection.baseServer, exchange.fields, {
      main: null,
      prev: null,
    })
    this.fill(request, exchange)
    request.place = this.status.begin(request)
    const { refusal } = exchange
    try {
      if (refusal !== null) this.refuse(request, refusal)
      else this.serve(request)
    } catch (error) {
      this.broken(request, error)
    }
  }

  onReadTimeout(connection: HttpConnection, part: 'header' | 'body'): void {
    this.parts.generation.functions.get(requestReadTimedOut)?.(this.connectionRecord(connection), part)
  }

  onClose(connection: HttpConnection): void {
    const { data } = connection
    if (data instanceof ConnectionRecord) data.over((error) => this.cleanupFailed(data, error))
  }

  private connectionRecord(connection: HttpConnection): ConnectionRecord {
    const known = connection.data
    if (known instanceof ConnectionRecord) return known
    const record = new ConnectionRecord(connection, this.hosts.forAddress(connection.localAddress, connection.localPort))
    connection.data = record
    record.refused = !this.parts.hooks.preConnection.run(record, null)
    return record
  }

  private fill(request: RequestRecord, exchange: Exchange): void {
    request.requestLine = exchange.requestLine
    request.method = exchange.method
    request.methodNumber = this.parts.generation.methods.numberOf(exchange.method)
    // Who asks how a decision comes about wants no body.
    request.headerOnly = exchange.method === 'HEAD' || request.tracer !== null
    request.protocol = exchange.protocol
    request.version = exchange.version
    // The wall clock has milliseconds only; the steady clock's fraction tells requests of one millisecond apart.
    request.receivedAt = exchange.receivedAt + (exchange.receivedAtUs % 1000) / 1000
    request.receivedAtUs = exchange.receivedAtUs
    const { uri } = exchange
    // Also where it could not be parsed: logs show what there is. Where not even a target was read, nothing is shown.
    if (uri.path !== '' || uri.error === '') {
      request.uri = uri.path
      request.args = uri.query
      const whole = uri.form === 'origin' && uri.fragment === null
      request.unparsedUri = whole ? exchange.target : uri.query === null ? uri.path : `${uri.path}?${uri.query}`
    }
    request.hostname = exchange.hostname ?? ''
    request.namesHost = exchange.hostname !== null
    request.hostPort = exchange.hostPort
  }

  // The road.

  private serve(request: RequestRecord): void {
    if (this.parts.generation.lateRegistration !== null) return this.refuseAll(request)
    const early = this.serverChoice.choose(request)
    const outcome = early === OK ? this.begin(request) : early
    if (typeof outcome === 'number') void this.conclude(request, outcome)
    else outcome.then((settled) => this.conclude(request, settled)).catch((error: unknown) => this.broken(request, error))
  }

  /** A module was to have its say and has not: nobody knows what it would refuse. The log has said so. */
  private refuseAll(request: RequestRecord): void {
    request.status = HTTP_INTERNAL_SERVER_ERROR
    makeErrorPage(request, null, this)
    this.respond(request)
  }

  /** Modules may ask for the client's name as soon as they see the request. */
  private begin(request: RequestRecord): MaybePromise<Outcome> {
    const waiting = this.parts.services.lookUpNames(request)
    if (waiting !== undefined) return waiting.then(() => this.afterLookUp(request))
    return this.afterLookUp(request)
  }

  private afterLookUp(request: RequestRecord): MaybePromise<Outcome> {
    return then(this.parts.hooks.postReadRequest.run(request), request, this.afterRead)
  }

  private readonly afterRead = (request: RequestRecord, outcome: Outcome): MaybePromise<Outcome> => {
    if (outcome !== OK) return outcome
    if (isForProxy(request)) return HTTP_BAD_REQUEST
    return then(this.parts.road.travel(request, FROM_URI), request, this.invokeHandler)
  }

  /** Calls the handlers; OK when one of them made a response. */
  private readonly invokeHandler = (request: RequestRecord, outcome: Outcome): MaybePromise<Outcome> => {
    if (outcome !== OK) return outcome
    let before = request.handler
    if (before === null && request.fileInfo?.kind === 'directory') {
      request.handler = DIRECTORY_HANDLER
      before = DIRECTORY_HANDLER
    } else if (before === null) request.handler = request.contentType === null ? DEFAULT_HANDLER : essenceOf(request.contentType)
    if (!this.insertFilters(request)) return HTTP_INTERNAL_SERVER_ERROR
    const result = this.parts.hooks.handler.run(request)
    if (typeof result !== 'number') return result.then((settled) => this.afterHandler(request, settled, before))
    return this.afterHandler(request, result, before)
  }

  /** Filters that SetOutputFilter and SetInputFilter name, then those of modules; false when one of these broke. */
  private insertFilters(request: RequestRecord): boolean {
    const { outputFilters, inputFilters } = request.config.core
    if (inputFilters !== undefined) for (const name of inputFilters) request.addInputFilter(name)
    if (outputFilters !== undefined) for (const name of outputFilters) request.addOutputFilter(name)
    return this.parts.hooks.insertFilter.run(request, request)
  }

  private afterHandler(request: RequestRecord, outcome: Outcome, handler: string | null): MaybePromise<Outcome> {
    const chosen = request.handler
    request.handler = handler
    const settled = outcome < 0 && outcome !== DONE ? defaultHandler(request, this.handlerContext) : outcome
    // httpd sends the answer from within the handler; that to OPTIONS waits, unless it is that the body was refused.
    const within = request.inputFailed || (settled === OK && request.methodNumber !== M_OPTIONS)
    if (within && chosen !== DEFAULT_HANDLER) request.answeredBy = chosen
    return settled
  }

  /** Answers a request that the engine could not read, or not whole. */
  private refuse(request: RequestRecord, refusal: Refusal): void {
    this.refusals.take(request, refusal)
    if (refusal.silent) {
      request.status = refusal.status
      request.answered = true
      request.requestLine = '-'
      this.finish(request, false)
      request.exchange?.send('', null, false)
      return
    }
    void this.conclude(request, httpStatus(refusal.status))
  }

  /** The end of the road: the response, or what an error is answered with. */
  private conclude(request: RequestRecord, outcome: Outcome): MaybePromise<void> {
    const waiting = this.parts.services.lookUpNames(request)
    if (waiting === undefined) return this.answer(request, outcome)
    return waiting.then(() => this.answer(request, outcome)).catch((error: unknown) => this.broken(request, error))
  }

  private answer(request: RequestRecord, outcome: Outcome): MaybePromise<void> {
    const failed = outcome === 401 && request.refusalStatus === 401 && !this.challenge(request)
    const answered = answerError(request, failed ? HTTP_INTERNAL_SERVER_ERROR : outcome, this)
    if (answered instanceof Promise) return answered.catch((error: unknown) => this.broken(request, error))
    return undefined
  }

  /** Whoever answers for the authentication type makes the challenge of a 401, unless it was made already. False when it broke. */
  private challenge(request: RequestRecord): boolean {
    if (request.existingErrHeadersOut?.has('WWW-Authenticate') === true) return true
    const authType = this.parts.generation.functions.get(authTypeOf)?.(request) ?? null
    if (authType === null) {
      this.log.write(request, 'error', 'AH00571', `need AuthType to note auth failure: ${request.unparsedUri}`)
      return true
    }
    const { functions, owners } = this.parts.hooks.noteAuthFailure
    for (let index = 0; index < functions.length; index++) {
      try {
        const outcome: unknown = functions[index](request, authType)
        if (isThenable(outcome)) throw new TypeError('it returned a promise, which nobody waits for')
        if (outcome === OK) break
      } catch (error) {
        logHookFailure(this.log, request, 'noteAuthFailure', owners[index].module.source, error)
        return false
      }
    }
    return true
  }

  /** A sub-request that another user might make has the challenge that its main request may answer with. */
  private withChallenge(sub: MaybePromise<RequestRecord>): MaybePromise<RequestRecord> {
    if (sub instanceof Promise) return sub.then((settled) => this.withChallenge(settled))
    if (sub.status === 401 && sub.refusalStatus === 401 && !this.challenge(sub)) sub.status = 500
    return sub
  }

  /** Something that must not happen did: nothing is served, the log says what it was. */
  private broken(request: RequestRecord, error: unknown): void {
    this.log.write(
      request,
      'crit',
      '',
      `the request could not be served: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
    const { exchange } = request
    if (exchange === null || exchange.answered) return
    request.status = 500
    if (request.original.answered) {
      exchange.connection.destroy()
      this.finish(request, false)
    } else {
      makeErrorPage(request, null, this)
      this.respond(request)
    }
  }

  // What an error needs.

  signature(request: RequestRecord): string {
    return serverSignature(request, '<hr>\n', this.parts.generation.process.serverTokens)
  }

  redirectForError(request: RequestRecord, uri: string): MaybePromise<void> {
    const next = this.redirects.newRedirect(request, uri)
    if (next === null) {
      makeErrorPage(request, null, this)
      return this.respond(request)
    }
    // Also where the client wants no body: conditions of sections see a GET.
    next.method = 'GET'
    next.methodNumber = 0
    const outcome = this.travelAgain(next)
    if (typeof outcome === 'number') return this.conclude(next, outcome)
    return outcome.then((settled) => this.conclude(next, settled))
  }

  respond(request: RequestRecord): MaybePromise<void> {
    // A redirect answered in this request's place, or it in a redirect's.
    if (request.original.answered) return
    if (request.errorStatus !== 0 && !this.parts.hooks.insertErrorFilter.run(request, request)) this.replaceByError(request)
    if (request.outputFilters === null) return this.deliver(request)
    const outcome = this.filterChain.pass(request)
    if (typeof outcome === 'number') return this.afterFilters(request, outcome)
    // Nobody answers in its place while it waits.
    const { original } = request
    original.answered = true
    return outcome.then((settled) => {
      original.answered = false
      return this.afterFilters(request, settled)
    })
  }

  private afterFilters(request: RequestRecord, outcome: Outcome): MaybePromise<void> {
    return outcome === OK ? this.deliver(request) : answerError(request, outcome, this)
  }

  private deliver(request: RequestRecord): MaybePromise<void> {
    if (this.responder.isRangeRefused(request)) {
      request.rangeRefused = true
      // Nothing that was said of the file is true of this answer.
      request.existingErrHeadersOut?.clear()
      return answerError(request, httpStatus(416), this)
    }
    const { original } = request
    if (original.answered) return
    original.answered = true
    const whole = this.parts.hooks.fixupHeaders.runInTurns(request, request, deadlineOf(request))
    return whole instanceof Promise ? whole.then((settled) => this.sendWith(request, settled)) : this.sendWith(request, whole)
  }

  /** @param whole false when a function of fixupHeaders failed: a field that was to be set may be one that protects, so the response is not sent without it */
  private sendWith(request: RequestRecord, whole: boolean): MaybePromise<void> {
    if (!whole && request.errorStatus !== 500) this.replaceByError(request)
    if (request.status < 200) this.replaceInterim(request)
    applyVersionVariables(request)
    if (this.responder.sendAgain(request)) return this.finish(request, true)
    const invalid = findInvalidField(request)
    if (invalid !== null) {
      this.httpLog.write(request, 'error', invalid.code, invalid.text)
      if (!wasFieldRefused(request)) return this.answerInvalidField(request)
      leaveStatusAlone(request)
    }
    this.responder.send(request, (complete) => this.finish(request, complete))
  }

  /** What is set always is also set in the answer to this: when it is at fault, that cannot be sent either. */
  private answerInvalidField(request: RequestRecord): MaybePromise<void> {
    request.fieldsRefused = true
    request.inputFailed = true
    request.existingErrHeadersOut?.clear()
    request.original.answered = false
    return answerError(request, HTTP_INTERNAL_SERVER_ERROR, this)
  }

  /** Behind a 1xx the client would wait for another response, and take the next one for it. */
  private replaceInterim(request: RequestRecord): void {
    this.log.write(request, 'error', 'AH01579', `Invalid response status ${request.status}`)
    this.replaceByError(request)
  }

  /** What was to be sent cannot be: neither it nor a field of it is. */
  private replaceByError(request: RequestRecord): void {
    request.existingErrHeadersOut?.clear()
    request.status = 500
    makeErrorPage(request, null, this)
  }

  /** The response has been handed over: count it, log it, clean up. */
  private finish(request: RequestRecord, complete: boolean): void {
    const { original } = request
    if (original.endedAtUs > 0) return
    original.endedAtUs = performance.now() * 1000
    if (!complete) request.persistent = false
    this.parts.hooks.logTransaction.run(original, original)
    original.connection.keepalives++
    const duration = Math.max(0, (original.endedAtUs - original.receivedAtUs) / 1000)
    this.status.end(original, request.status, request.bodyBytesSent, duration)
    for (let one: RequestRecord | null = original; one !== null; one = one.next) {
      one.done((error) => this.cleanupFailed(original, error))
    }
  }

  private cleanupFailed(subject: RequestRecord | ConnectionRecord, error: unknown): void {
    this.log.write(subject, 'crit', '', `a cleanup failed: ${error instanceof Error ? error.message : String(error)}`)
  }

  // What requests ask for.

  newWork({ server }: RequestRecord): RequestWork {
    return new RequestWork(this.turns, server.core.computingTime ?? STANDARD_COMPUTING_TIME)
  }

  lookupUri(request: RequestRecord, uri: string): MaybePromise<RequestRecord> {
    return this.withChallenge(this.redirects.lookupUri(request, uri))
  }

  lookupFile(request: RequestRecord, path: string): MaybePromise<RequestRecord> {
    return this.withChallenge(this.redirects.lookupFile(request, path))
  }

  lookupEntry(request: RequestRecord, name: string, args: string | null): MaybePromise<RequestRecord> {
    return this.withChallenge(this.redirects.lookupEntry(request, name, args))
  }

  meetsConditions(request: RequestRecord): Outcome {
    return outcomeOfConditions(request)
  }

  setValidators(request: RequestRecord): void {
    if (request.fileInfo !== null) setValidators(request, request.fileInfo, this.handlerContext.validators)
  }

  internalRedirect(request: RequestRecord, uri: string): MaybePromise<Outcome> {
    const next = this.redirects.newRedirect(request, uri)
    if (next === null) return httpStatus(500)
    return then(this.travelAgain(next), next, this.concludeRedirect)
  }

  /** A redirect is a request that was read; only its server is chosen. */
  private travelAgain(next: RequestRecord): MaybePromise<Outcome> {
    return then(this.parts.hooks.postReadRequest.run(next), next, this.afterRead)
  }

  private readonly concludeRedirect = (request: RequestRecord, outcome: Outcome): MaybePromise<Outcome> => {
    // A sub-request answers nobody but whoever runs it.
    if (request.main !== null) return outcome
    const concluded = this.conclude(request, outcome)
    // The request that was redirected must not be answered while an error document of the new one is looked for.
    return concluded instanceof Promise ? concluded.then(() => DONE) : DONE
  }

  finishBody(request: RequestRecord): MaybePromise<Outcome> {
    return this.bodies.finish(request)
  }

  discardBody(request: RequestRecord): MaybePromise<Outcome> {
    return this.bodies.discard(request)
  }

  readBody(request: RequestRecord): AsyncGenerator<Uint8Array> {
    return this.bodies.read(request)
  }

  inputFilter(request: RequestRecord, name: string): InputFilter | null {
    return this.parts.generation.providers.inputFilters.get(name) ?? this.unknownFilter(request, name)
  }

  runSubrequest(sub: RequestRecord): MaybePromise<SubResponse> {
    if (sub.status !== 200) return subResponse(sub, httpStatus(sub.status), this.parts.files)
    return then(this.invokeHandler(sub, OK), sub, this.filterSubrequest)
  }

  /** Its response is that of the last request it was redirected to. */
  private readonly filterSubrequest = (sub: RequestRecord, outcome: Outcome): MaybePromise<SubResponse> => {
    const { final } = sub
    if ((outcome !== OK && outcome !== DONE) || final.outputFilters === null) return subResponse(final, outcome, this.parts.files)
    return then(this.filterChain.pass(final), final, (_, filtered) => subResponse(final, filtered, this.parts.files))
  }

  outputFilter(request: RequestRecord, name: string): OutputFilter | null {
    return this.parts.generation.providers.outputFilters.get(name) ?? this.unknownFilter(request, name)
  }

  private unknownFilter(request: RequestRecord, name: string): null {
    this.log.write(request, 'error', 'AH00082', `an unknown filter was not added: ${name}`)
    return null
  }

  serverName(request: RequestRecord): string {
    return requestServerName(request)
  }

  serverPort(request: RequestRecord): number {
    return requestServerPort(request)
  }

  // The process.

  accept(socket: Socket, local: LocalAddress | null): void {
    this.admit(this.engine.accept(socket, local))
  }

  /** @param tracer is told of every decision that is taken; responses have no body then */
  inject(transport: Transport, tracer: DecisionTracer | null): void {
    const connection = this.engine.inject(transport)
    this.connectionRecord(connection).tracer = tracer
    this.admit(connection)
  }

  displaceFor(address: string): Displaced | null {
    const displaced = this.engine.displaceFor(address)
    this.status.tally.crowdedOut(displaced === null ? 'newcomer' : 'other')
    return displaced
  }

  /** A connection that a module could not prepare is not served. */
  private admit(connection: HttpConnection): void {
    this.status.tally.connected()
    if (this.connectionRecord(connection).refused) connection.destroy()
  }

  workerStatus(identity: { readonly slot: number; readonly generation: number; readonly stopping: boolean }): WorkerStatus {
    return this.status.worker(identity, this.engine, this.parts.services)
  }
}

/** Also when that was found in a request that was redirected to this one. */
function wasFieldRefused(request: RequestRecord): boolean {
  for (let one: RequestRecord | null = request; one !== null; one = one.prev) if (one.fieldsRefused) return true
  return false
}

/** Makes an answer of which nothing is left but that the request failed. */
function leaveStatusAlone(request: RequestRecord): void {
  request.errHeadersOut.clear()
  request.clearHeadersOut()
  request.errHeadersOut.set('Connection', 'close')
  request.inputFailed = false
  request.status = HTTP_INTERNAL_SERVER_ERROR
  request.contentType = null
  request.body = ''
}

/** A media type without its parameters. */
function essenceOf(type: string): string {
  const end = type.indexOf(';')
  return (end < 0 ? type : type.slice(0, end)).trim()
}

/** Goes on at once when a phase did not have to wait. */
function then<T>(
  outcome: MaybePromise<Outcome>,
  request: RequestRecord,
  next: (request: RequestRecord, outcome: Outcome) => MaybePromise<T>,
): MaybePromise<T> {
  return typeof outcome === 'number' ? next(request, outcome) : outcome.then((settled) => next(request, settled))
}
