import {
  DECLINED,
  HTTP_BAD_REQUEST,
  HTTP_FORBIDDEN,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_METHOD_NOT_ALLOWED,
  HTTP_REQUEST_ENTITY_TOO_LARGE,
  HTTP_SERVICE_UNAVAILABLE,
  httpStatus,
  type MaybePromise,
  type ModuleLog,
  OK,
  type OptionalFunctions,
  type Outcome,
  type ProviderGroup,
  type ProxyRemote,
  type ProxyScheme,
  type Request,
} from '@gatewright/api'
import { type Attempt, balancerFor, passToMembers } from './balanced.ts'
import { CONTROLS, canonicalize } from './canonical.ts'
import { countForwards } from './max-forwards.ts'
import { Passing, type PassingConfig } from './passing.ts'
import type { PassingPlan } from './passing-plan.ts'
import { remotesFor } from './remotes.ts'
import { isBalancer } from './workers/balancer.ts'
import { splitProxyUrl, splitRequestUrl } from './workers/proxy-url.ts'
import { findAmongServers } from './workers/server-workers.ts'
import { addressText, protocolName, Worker, workerParts } from './workers/worker.ts'

/** What the handler needs of the module. */
export interface HandlerParts {
  readonly schemes: ProviderGroup<ProxyScheme>
  readonly functions: OptionalFunctions
  readonly log: ModuleLog
  configOf(request: Request): PassingConfig
  planOf(request: Request): PassingPlan | undefined
  /** True in tools, which decide about requests, but send nothing to backends. */
  checkOnly(): boolean
}

/** The handler of requests that are passed on: chooses the worker, and gives the request to the module of its scheme. */
export class ProxyHandler {
  readonly #parts: HandlerParts

  constructor(parts: HandlerParts) {
    this.#parts = parts
  }

  handle(request: Request): MaybePromise<Outcome> {
    const taken = this.#take(request)
    if (taken !== OK) return taken
    const { log } = this.#parts
    const config = this.#parts.configOf(request)
    const counted = countForwards(request, config.server.maxForwards ?? -1, log)
    if (counted !== undefined) return counted
    const traced = request.method === 'TRACE' ? this.#checkTrace(request) : OK
    if (traced !== OK) return traced
    const url = request.filename.slice(6)
    const colon = url.indexOf(':')
    if (colon < 0 && request.method !== 'CONNECT') {
      log.write(request, 'error', 'AH01141', `proxy_handler no URL in ${request.filename}`)
      return HTTP_BAD_REQUEST
    }
    const missing = config.server.domain === undefined ? undefined : completeDomain(request, url, config.server.domain, log)
    return missing ?? this.#pass(request, url, config)
  }

  /** Whether the request is one for this handler; SetHandler may name the backend. */
  #take(request: Request): Outcome {
    const { filename, handler } = request
    if (request.proxyRequest !== null) return filename.startsWith('proxy:') ? OK : DECLINED
    if (filename.startsWith('proxy:')) return OK
    if (handler === null || !handler.startsWith('proxy:')) return DECLINED
    request.filename = handler + filename
    request.proxyRequest = 'reverse'
    request.notes.set('rewrite-proxy', '1')
    const { url } = splitRequestUrl(request, request.filename.slice(6))
    const outcome = /^[^:/]+:/.test(url) ? canonicalize(request, this.#parts.schemes) : DECLINED
    if (outcome === OK) return OK
    request.filename = filename
    request.proxyRequest = null
    return DECLINED
  }

  #checkTrace(request: Request): Outcome {
    const { traceMethod } = request.server
    if (traceMethod === 'off') {
      request.notes.set('error-notes', 'TRACE forbidden by server configuration')
      this.#parts.log.write(request, 'error', 'AH01139', 'TRACE forbidden by server configuration')
      return HTTP_METHOD_NOT_ALLOWED
    }
    const hasBody = request.headersIn.has('Transfer-Encoding') || (request.headersIn.get('Content-Length') ?? '0') !== '0'
    if (traceMethod === 'extended' || !hasBody) return OK
    request.notes.set('error-notes', 'TRACE with request body is not allowed')
    this.#parts.log.write(request, 'error', 'AH01140', 'TRACE with request body is not allowed')
    return HTTP_REQUEST_ENTITY_TOO_LARGE
  }

  #pass(request: Request, filename: string, config: PassingConfig): MaybePromise<Outcome> {
    if (this.#parts.checkOnly()) return leaveOut(request)
    const plan = this.#parts.planOf(request)
    const { socketPath, url } = splitRequestUrl(request, filename)
    if (isBalancer(url) && request.method !== 'CONNECT') {
      const { functions } = this.#parts
      const balancer = balancerFor(url, config.workers, functions)
      if (balancer !== null)
        return passToMembers(request, balancer, url, functions, (member, target) =>
          this.#attempt(request, target, member, config),
        )
    }
    // The URL of a client needs no host if its scheme is unknown.
    const scheme = url.slice(0, url.indexOf(':'))
    if (
      request.proxyRequest === 'forward' &&
      request.method !== 'CONNECT' &&
      this.#parts.schemes.get(scheme.toLowerCase()) === undefined
    )
      return this.#declined(request, scheme)
    const worker = chooseWorker(request, url, plan, socketPath, config)
    if ('error' in worker) {
      this.#parts.log.write(request, 'error', '', worker.error)
      return HTTP_INTERNAL_SERVER_ERROR
    }
    if (!worker.isUsable && !(worker.retry() && worker.isUsable)) {
      const text = `${protocolName(worker)}: disabled connection for (${addressText(worker)})`
      this.#parts.log.write(null, 'error', 'AH00940', text)
      return HTTP_SERVICE_UNAVAILABLE
    }
    return this.#passToWorker(new Passing(request, url, worker, null, config), config)
  }

  #passToWorker(passing: Passing, config: PassingConfig): MaybePromise<Outcome> {
    const { worker } = passing
    worker.count('elected', 1)
    worker.count('busy', 1)
    const begin = performance.now()
    const ended = (hasFailed: boolean): void => {
      const time = performance.now() - begin
      worker.count('busy', -1)
      if (countsAttempts(config)) worker.countAttempt(time, hasFailed)
      noteTime(passing.request, time)
    }
    let outcome: MaybePromise<Outcome>
    try {
      outcome = this.#passTo(passing, config)
    } catch (error) {
      ended(true)
      throw error
    }
    if (outcome instanceof Promise) {
      return outcome.then(
        (final) => {
          ended(final >= HTTP_INTERNAL_SERVER_ERROR)
          return final
        },
        (error: unknown) => {
          ended(true)
          throw error
        },
      )
    }
    ended(outcome >= HTTP_INTERNAL_SERVER_ERROR)
    return outcome
  }

  async #attempt(request: Request, url: string, worker: Worker, config: PassingConfig): Promise<Attempt> {
    const passing = new Passing(request, url, worker, null, config)
    const begin = performance.now()
    let hasFailed = true
    try {
      const outcome = await this.#passTo(passing, config)
      hasFailed = outcome >= HTTP_INTERNAL_SERVER_ERROR
      return { outcome, timedOut: passing.hasTimedOut, wasSent: passing.wasSent, isAnswer: passing.settings.hasOverridden }
    } finally {
      const time = performance.now() - begin
      worker.countAttempt(time, hasFailed)
      noteTime(request, time)
    }
  }

  #passTo(passing: Passing, config: PassingConfig): MaybePromise<Outcome> {
    const { request, url, worker } = passing
    const scheme = request.method === 'CONNECT' && !url.includes('://') ? 'CONNECT' : url.slice(0, url.indexOf(':')).toLowerCase()
    if (LINE_PROTOCOL.test(scheme) && CONTROLS.test(url)) {
      this.#parts.log.write(request, 'error', 'AH10415', 'To be forwarded path contains control characters or spaces')
      return HTTP_FORBIDDEN
    }
    const provider = this.#parts.schemes.get(scheme)
    if (provider === undefined) return this.#declined(request, scheme)
    const remotes = remotesFor(config.server, url)
    if (remotes.length > 0) {
      const direct = config.directHosts.includes(config.server, worker.hostname)
      if (direct instanceof Promise)
        return direct.then((isDirect) =>
          isDirect
            ? this.#passDirectly(passing, provider, scheme)
            : this.#passToRemotes(passing, provider, remotes, scheme, config),
        )
      if (!direct) return this.#passToRemotes(passing, provider, remotes, scheme, config)
    }
    return this.#passDirectly(passing, provider, scheme)
  }

  #passDirectly(passing: Passing, provider: ProxyScheme, scheme: string): MaybePromise<Outcome> {
    const { request } = passing
    const outcome = provider.pass(passing)
    if (outcome instanceof Promise) {
      return outcome.then((final) => (final === DECLINED ? this.#declined(request, scheme) : final))
    }
    return outcome === DECLINED ? this.#declined(request, scheme) : outcome
  }

  async #passToRemotes(
    passing: Passing,
    provider: ProxyScheme,
    remotes: readonly ProxyRemote[],
    scheme: string,
    config: PassingConfig,
  ): Promise<Outcome> {
    const { request, url, worker } = passing
    for (const remote of remotes) {
      const outcome = await provider.pass(new Passing(request, url, worker, remote, config))
      if (outcome === DECLINED) continue
      const hasBody = Number(request.headersIn.get('Content-Length') ?? 0) > 0 || request.headersIn.has('Transfer-Encoding')
      if (outcome !== 502 || hasBody) return outcome
    }
    const outcome = await provider.pass(passing)
    return outcome === DECLINED ? this.#declined(request, scheme) : outcome
  }

  #declined(request: Request, scheme: string): Outcome {
    const text =
      `No protocol handler was valid for the URL ${request.uri} (scheme '${scheme}'). If you are using a DSO version of mod_proxy, ` +
      'make sure the proxy submodules are included in the configuration using LoadModule.'
    this.#parts.log.write(request, 'warn', 'AH01144', text)
    return HTTP_INTERNAL_SERVER_ERROR
  }
}

/** Schemes of protocols whose requests begin with a line. */
const LINE_PROTOCOL = /^(?:https?|wss?|h2c?)$/

/** Without ProxyStatus, nothing shows how long attempts took. */
function countsAttempts({ server: { status } }: PassingConfig): boolean {
  return status === 'on' || status === 'full'
}

/** Adds to the note that `%{upstream-time}n` shows, in microseconds: of all back ends that a request was passed to. */
function noteTime({ notes }: Request, milliseconds: number): void {
  const before = notes.get(UPSTREAM_TIME)
  notes.set(UPSTREAM_TIME, String(Math.round(milliseconds * 1000) + (before === undefined ? 0 : Number(before))))
}

const UPSTREAM_TIME = 'upstream-time'

/** The response of tools in the place of that of the backend: the request was granted. */
function leaveOut(request: Request): Outcome {
  request.contentType = 'text/plain'
  request.respond('')
  return OK
}

/** The worker with the longest URL, or one for this request alone. */
function chooseWorker(
  request: Request,
  url: string,
  plan: PassingPlan | undefined,
  socketPath: string | null,
  { workers }: PassingConfig,
): Worker | { readonly error: string } {
  const socket = socketPath ?? plan?.socketPath ?? null
  const found = findAmongServers(workers, url, socket)
  if (found !== null && (socket !== null || found.socketPath === null)) return found
  const parts = workerParts(url, (path) => path)
  if ('error' in parts) {
    // CONNECT names a host and a port alone.
    if (request.method !== 'CONNECT') return parts
    const separator = url.lastIndexOf(':')
    const hostname = url.slice(0, separator)
    return new Worker(
      { name: url, scheme: '', hostname, port: Number(url.slice(separator + 1)), socketPath: null },
      null,
      'default',
    )
  }
  const split = splitProxyUrl(parts.name)
  const name = typeof split === 'string' ? parts.name : parts.name.slice(0, parts.name.length - split.rest.length)
  return new Worker({ ...parts, name, socketPath: socket }, null, 'default')
}

/** ProxyDomain: a client that asks for a page of a host without its domain is redirected to its full name. */
function completeDomain(request: Request, url: string, domain: string, log: ModuleLog): Outcome | undefined {
  const found = splitProxyUrl(url)
  if (request.proxyRequest !== 'forward' || (request.method !== 'GET' && request.method !== 'HEAD')) return undefined
  if (typeof found === 'string' || found.hostname === null) return undefined
  if (/[.:]/.test(found.hostname) || found.hostname === 'localhost') return undefined
  const port = found.port === '' ? '' : `:${found.port}`
  const target = `${found.scheme}://${found.hostname}${domain}${port}${found.rest}`
  request.headersOut.set('Location', target)
  const referer = request.headersIn.get('Referer')
  const text = `Domain missing: ${request.uri} sent to ${target}${referer === undefined ? '' : ' ref: '}${referer ?? ''}`
  log.write(request, 'info', 'AH01138', text)
  return httpStatus(301)
}
