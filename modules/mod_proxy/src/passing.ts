import {
  httpStatus,
  type MaybePromise,
  type ModuleLog,
  type OsError,
  type Outcome,
  type ProxyPassing,
  type ProxyRemote,
  type ProxySettings,
  type Request,
  type Server,
} from '@gatewright/api'
import type { BlockedHosts, BlockedReason } from './blocked-hosts.ts'
import type { DirectoryConfig, ServerConfig } from './config.ts'
import type { DirectHosts } from './direct-hosts.ts'
import { ReverseMap } from './reverse.ts'
import type { ServerWorkers } from './workers/server-workers.ts'
import { addressText, protocolName, type Worker } from './workers/worker.ts'

/** What {@link Passing} needs of the configuration. */
export interface PassingConfig {
  readonly server: Readonly<ServerConfig>
  readonly directory: Readonly<DirectoryConfig>
  readonly workers: readonly ServerWorkers[]
  /** ProxyTimeout of a server. */
  timeoutOf(server: Server): number | undefined
  readonly blockedHosts: BlockedHosts
  readonly directHosts: DirectHosts
  readonly log: ModuleLog
}

/** One request that is passed to one backend. */
export class Passing implements ProxyPassing {
  readonly request: Request
  readonly url: string
  readonly worker: Worker
  readonly remote: ProxyRemote | null
  readonly settings: Settings
  /** Whether the backend did not answer in time. */
  hasTimedOut = false
  /** Whether the backend may have acted on the request. */
  wasSent = false
  readonly #config: PassingConfig
  #reverse: ReverseMap | null = null

  constructor(request: Request, url: string, worker: Worker, remote: ProxyRemote | null, config: PassingConfig) {
    this.request = request
    this.url = url
    this.worker = worker
    this.remote = remote
    this.settings = new Settings(request, config, worker)
    this.#config = config
  }

  fail(status: number, message: string, cause?: OsError | Error | null): Outcome {
    return proxyError(this.request, this.#config.log, status, message, cause ?? undefined)
  }

  note(level: 'error' | 'warn', code: string, text: string, cause?: OsError | Error): void {
    this.#config.log.write(this.request, level, code, text, cause)
  }

  unreachable(address: string, cause: Error | null): void {
    const { worker } = this
    const { log } = this.#config
    const named = addressText(worker)
    const text =
      worker.socketPath === null
        ? `${protocolName(worker)}: attempt to connect to ${address} (${named}) failed`
        : `${protocolName(worker)}: attempt to connect to Unix domain socket ${worker.socketPath} (${named}) failed`
    log.write(null, 'error', worker.socketPath === null ? 'AH00957' : 'AH02454', text, cause ?? undefined)
    if (!worker.fail()) return
    const seconds = Math.trunc(worker.retryTime / 1000)
    log.write(null, 'error', 'AH00959', `ap_proxy_connect_backend disabling worker for (${named}) for ${seconds}s`)
  }

  isBlocked(hostname: string, addresses: readonly string[]): boolean {
    const { server, blockedHosts } = this.#config
    return this.#reportBlocked(blockedHosts.among(server.blocked, hostname, addresses))
  }

  blocks(hostname: string): MaybePromise<boolean> {
    const { server, blockedHosts } = this.#config
    if (server.blocked.length === 0) return false
    // A host that a remote proxy is asked for is not looked up here.
    if (this.remote !== null) return this.isBlocked(hostname, [])
    return blockedHosts.find(server, hostname).then((reason) => this.#reportBlocked(reason))
  }

  #reportBlocked(reason: BlockedReason | null): boolean {
    if (reason !== null) this.#config.log.write(this.request, 'warn', reason.code, reason.text)
    return reason !== null
  }

  mapUrl(url: string): string {
    return this.#map.url(url)
  }

  mapCookie(value: string): string {
    return this.#map.cookie(value)
  }

  timedOut(): void {
    this.hasTimedOut = true
  }

  sent(): void {
    this.wasSent = true
  }

  count(sent: number, received: number): void {
    this.worker.count('sent', sent)
    this.worker.count('received', received)
  }

  get #map(): ReverseMap {
    return (this.#reverse ??= new ReverseMap(this.request, this.#config.directory, this.#config.workers))
  }
}

/** Logs AH00898, and shows the reason on the page of the error. */
export function proxyError(request: Request, log: ModuleLog, status: number, message: string, cause?: OsError | Error): Outcome {
  request.notes.set('error-notes', `The proxy server could not handle the request. Reason: ${message}`)
  request.reason = 'Proxy Error'
  log.write(request, 'error', 'AH00898', `${message} returned by ${request.uri}`, cause)
  return httpStatus(status)
}

class Settings implements ProxySettings {
  readonly timeout: number
  readonly via: ProxySettings['via']
  readonly badHeader: ProxySettings['badHeader']
  readonly ioBufferSize: number
  readonly sourceAddress: string | null
  readonly preserveHost: boolean
  readonly addHeaders: boolean
  readonly forwardContinue: boolean
  /** Whether a page of the server replaces the response of the backend. */
  hasOverridden = false
  readonly #override: DirectoryConfig['errorOverride']

  constructor(request: Request, { server, directory, timeoutOf }: PassingConfig, { section }: Worker) {
    // That of the server that defined the worker comes first.
    const ofWorker = section === null ? undefined : timeoutOf(section.server)
    this.timeout = ofWorker ?? server.timeout ?? request.server.timeout
    this.via = server.via ?? 'off'
    this.badHeader = server.badHeader ?? 'error'
    this.ioBufferSize = server.ioBufferSize ?? 0
    this.sourceAddress = server.sourceAddress ?? null
    this.preserveHost = directory.preserveHost === true
    this.addHeaders = directory.addHeaders !== false
    this.forwardContinue = directory.forwardContinue !== false
    this.#override = directory.errorOverride
  }

  overrides(status: number): boolean {
    const override = this.#override
    if (override === undefined || !override.on || status < 400 || status > 599) return false
    this.hasOverridden = override.statuses.length === 0 || override.statuses.includes(status)
    return this.hasOverridden
  }
}
