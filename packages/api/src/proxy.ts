import type { SectionInfo } from './command.ts'
import type { ModuleLog, OsError } from './log.ts'
import type { MaybePromise, Outcome } from './outcome.ts'
import type { Request } from './request.ts'

/**
 * The parameters of a worker, as ProxyPass, ProxySet, `<Proxy>` and BalancerMember set them; undefined for those that are
 * not set. Times in milliseconds, sizes in bytes.
 * @since 2.4.6
 */
export interface ProxyWorkerParameters {
  /** Most connections of a process. */
  readonly max?: number
  /** Idle connections that are kept in any case. */
  readonly min?: number
  /** Idle connections beyond this number are closed after `ttl`. */
  readonly smax?: number
  /** How long an idle connection may be used again. */
  readonly ttl?: number
  /** How long a request waits for a free connection. */
  readonly acquire?: number
  /** Time without progress. */
  readonly timeout?: number
  /** Time for a connection to be made. */
  readonly connectiontimeout?: number
  /** How long a backend may take to show that it is there. */
  readonly ping?: number
  /** How long a worker that is in error is left alone. */
  readonly retry?: number
  /** TCP keep-alive. */
  readonly keepalive?: boolean
  /** False: each connection serves one request. */
  readonly reuse?: boolean
  /** When parts of a response are sent on: at once, never before the end, or by `flushwait`. */
  readonly flushpackets?: 'on' | 'off' | 'auto'
  /** Most bytes of a field of a response. */
  readonly responsefieldsize?: number
  /** Protocols of the Upgrade field that are passed on; `ANY` or one name. */
  readonly upgrade?: string
  /** The longest packet of AJP; 0 for the standard. */
  readonly iobuffersize?: number
  /** The secret of AJP. */
  readonly secret?: string
}

/**
 * A backend with its connections: httpd's worker. The same object for all requests of a process.
 * @since 2.4.6
 */
export interface ProxyWorker {
  /** The URL that identifies it, in messages. */
  readonly name: string
  /** In lower case. */
  readonly scheme: string
  /** In lower case; may contain `$1` where a pattern decides, and is then that of no host. */
  readonly hostname: string
  /** 0 for that of the scheme. */
  readonly port: number
  /** The path of a Unix domain socket; null for TCP. */
  readonly socketPath: string | null
  /** False for the workers of requests without one of their own: their connections serve one request. */
  readonly reusesConnections: boolean
  /** What is set. */
  readonly parameters: ProxyWorkerParameters
  /** Where it was defined. */
  readonly section: SectionInfo | null
}

/**
 * The settings of mod_proxy that apply to a request.
 * @since 2.4.6
 */
export interface ProxySettings {
  /** ProxyTimeout in milliseconds; that of the server if it is not set. */
  readonly timeout: number
  /** ProxyVia. */
  readonly via: 'off' | 'on' | 'full' | 'block'
  /** ProxyBadHeader. */
  readonly badHeader: 'error' | 'ignore' | 'body'
  /** ProxyIOBufferSize in bytes; 0 for the standard. */
  readonly ioBufferSize: number
  /** ProxySourceAddress; null for that of the system. */
  readonly sourceAddress: string | null
  /** ProxyPreserveHost. */
  readonly preserveHost: boolean
  /** ProxyAddHeaders. */
  readonly addHeaders: boolean
  /** Proxy100Continue. */
  readonly forwardContinue: boolean
  /** Whether ProxyErrorOverride replaces responses with this status by pages of this server. */
  overrides(status: number): boolean
}

/**
 * One request that is passed to one backend.
 * @since 2.4.6
 */
export interface ProxyPassing {
  /** The request. */
  readonly request: Request
  /** The URL to ask for, in its canonical form. */
  readonly url: string
  /** The backend. */
  readonly worker: ProxyWorker
  /** Another proxy that is to be asked instead of the host of the URL (ProxyRemote); null for none. */
  readonly remote: ProxyRemote | null
  /** The settings in force. */
  readonly settings: ProxySettings
  /**
   * Logs AH00898 and makes the reason phrase `Proxy Error`: httpd's `ap_proxyerror`.
   * @param message for the log and the page
   * @param cause for the log: the system's error, such as that of a name that does not resolve (since 2.4.6)
   * @returns the status, for the scheme to return
   */
  fail(status: number, message: string, cause?: OsError | Error | null): Outcome
  /**
   * Writes a line of mod_proxy about the request.
   * @param code httpd's message number with its letters
   * @param cause the system's error
   */
  note(level: 'error' | 'warn', code: string, text: string, cause?: OsError | Error): void
  /**
   * Logs that the backend cannot be reached, AH00957 and the errors of its state.
   * @param cause the system's error
   */
  unreachable(address: string, cause: Error | null): void
  /** Whether ProxyBlock names the host or one of its addresses; the reason was logged. */
  isBlocked(hostname: string, addresses: readonly string[]): boolean
  /** Whether ProxyBlock names the host, or has an address of it; the reason was logged. */
  blocks(hostname: string): MaybePromise<boolean>
  /** A URL of the backend as clients know it (ProxyPassReverse). */
  mapUrl(url: string): string
  /** The same for the value of a Set-Cookie field. */
  mapCookie(value: string): string
  /** Notes that the backend did not answer in time, for `failontimeout`. */
  timedOut(): void
  /**
   * Notes that the backend may have acted on the request: after a failure, a balancer passes it to another member only if it may
   * be repeated.
   * @since 2.4.6
   */
  sent(): void
  /** Counts bytes for the status of the worker. */
  count(sent: number, received: number): void
}

/**
 * A proxy that is asked instead of the backend.
 * @since 2.4.6
 */
export interface ProxyRemote {
  /** Its host. */
  readonly hostname: string
  /** Its port. */
  readonly port: number
  /** The value of Proxy-Authorization for it; null for none. */
  readonly credentials: string | null
}

/**
 * A protocol of backends. Group `proxySchemes`, by the name of the scheme in lower case; `CONNECT` for that method.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface ProxyScheme {
  /** The log of the module that provides it, for messages about URLs. */
  readonly log: ModuleLog
  /** The port of URLs without one. */
  readonly defaultPort: number
  /**
   * Whether lines of ProxyPass with this scheme apply to a request, as httpd's `check_trans`; if not, the lines after them are
   * tried. Absent: always.
   */
  accepts?(request: Request): boolean
  /**
   * Makes the canonical URL. Absent: that of HTTP, with the query.
   * @param url as it was mapped
   * @param canonical the URL in the form of HTTP, without query, or the status that refuses it
   * @returns the URL, or the status that refuses it
   */
  canonical?(request: Request, url: string, canonical: string | Outcome): string | Outcome
  /**
   * Passes the request on and leaves the response in it.
   * @returns OK, an error, or DECLINED to leave the request to others; 503 lets a balancer try another worker
   */
  pass(passing: ProxyPassing): MaybePromise<Outcome>
  /**
   * What the connections of this process to a backend do. Absent: the module keeps no count of them.
   * @since 2.4.6
   */
  connections?(worker: ProxyWorker): ProxyConnections
}

/**
 * The connections of one process to a backend.
 * @since 2.4.6
 */
export interface ProxyConnections {
  /** Open connections, idle ones included. */
  readonly open: number
  /** Those that wait for a request. */
  readonly idle: number
  /** Requests that wait for a connection. */
  readonly waiting: number
  /** Connections that were opened since the start. */
  readonly opened: number
  /** Times that an idle connection was used again. */
  readonly reused: number
  /** Attempts to connect that failed. */
  readonly failed: number
}
