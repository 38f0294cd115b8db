import {
  beforeLogsClose,
  type Database,
  type HostServices,
  HTTP_FORBIDDEN,
  httpStatus,
  type ModuleLog,
  OK,
  type OptionalFunctions,
  type Outcome,
  type Request,
  type Server,
} from '@gatewright/api'
import { databaseOf, proxyServes, servesName, tlsValueOf } from '@gatewright/api/peers'
import type { RulesServer } from './apply-rules.ts'
import { Run, type RunPlace } from './run.ts'
import { Trace, TraceNumbers } from './trace.ts'

/** What both phases need from the host, and the state of requests that they share. */
export class Engine implements RulesServer {
  readonly log: ModuleLog
  readonly services: HostServices
  readonly #functions: OptionalFunctions
  readonly #numbers = new TraceNumbers()
  /** The first requests of redirect chains in which a rule with END was applied. */
  readonly #ended = new WeakSet<Request>()

  constructor(log: ModuleLog, services: HostServices, functions: OptionalFunctions) {
    this.log = log
    this.services = services
    this.#functions = functions
  }

  readonly traceOf = (request: Request): Trace | null =>
    Trace.of(this.log, request, this.#numbers, () => this.services.knownRemoteHost(request))

  run(place: Pick<RunPlace, 'request' | 'directory' | 'base' | 'maps' | 'trace'>): Run {
    return new Run({
      ...place,
      services: this.services,
      log: this.log,
      atEnd: this.#atEnd,
      tlsValue: this.#tlsValue,
      database: this.#database,
    })
  }

  readonly #atEnd = (act: () => void): void => this.#functions.get(beforeLogsClose)?.(act)

  readonly #tlsValue = (request: Request, name: string): string => this.#functions.get(tlsValueOf)?.(request, name) ?? ''

  readonly #database = (server: Server): Database | undefined => this.#functions.get(databaseOf)?.(server)

  isOwn({ request }: Run, host: string, port: number | null): boolean {
    const standard = request.scheme === 'https' ? 443 : 80
    return this.#functions.get(servesName)?.(request.server, host, port ?? standard) ?? false
  }

  end({ request }: Run): void {
    this.#ended.add(firstOf(request))
  }

  hasEnded(request: Request): boolean {
    return this.#ended.has(firstOf(request))
  }

  followsLinks(request: Request): boolean {
    return request.hasOption('FollowSymLinks') || request.hasOption('SymLinksIfOwnerMatch')
  }

  /** Returns the request's status as the outcome, which ends the phase like the status of any hook. */
  answer(request: Request): Outcome {
    const { status } = request
    request.status = 200
    return httpStatus(status)
  }

  /** Refuses a query that would end the request line early; undefined if the query is safe. */
  refuseQuery(request: Request, code: string): Outcome | undefined {
    if (request.args === null || !UNSAFE_IN_QUERY.test(request.args)) return undefined
    this.log.write(request, 'error', code, 'Rewritten query string contains control characters or spaces')
    return HTTP_FORBIDDEN
  }

  /**
   * Lets mod_proxy fetch a result, or refuses it without that module.
   * @param isEscaped false if the rule has the flag NE
   */
  fetch(run: Run, isEscaped: boolean, code: string): Outcome {
    const { request, trace, directory } = run
    if (this.#functions.get(proxyServes) === undefined) return this.#refuseProxy(request, code)
    if (!isEscaped) request.notes.set('proxy-nocanon', '1')
    if (directory === null) request.filename += request.pathInfo
    // Where the URL is brought into its canonical form later, the query is added there.
    const isFinal = !isEscaped || request.proxyRequest === 'forward'
    if (request.args !== null && isFinal) request.filename += `?${request.args}`
    request.proxyRequest ??= 'reverse'
    request.handler = 'proxy-server'
    trace?.write(1, directory, `go-ahead with proxy request ${request.filename} [OK]`)
    return OK
  }

  #refuseProxy(request: Request, code: string): Outcome {
    const message = `attempt to make remote request from mod_rewrite without proxy enabled: ${request.filename}`
    this.log.write(request, 'error', code, message)
    return HTTP_FORBIDDEN
  }
}

const UNSAFE_IN_QUERY = /[\x00-\x20\x7f]/

function firstOf(request: Request): Request {
  let first = request
  while (first.prev !== null) first = first.prev
  return first
}
