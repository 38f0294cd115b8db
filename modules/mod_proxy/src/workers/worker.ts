import type { ProxyWorker, SectionInfo } from '@gatewright/api'
import { hostInUrl, splitProxyUrl, splitSocket } from './proxy-url.ts'
import type { MutableParameters } from './worker-parameters.ts'
import { IGNORES_ERRORS, IN_ERROR, NOT_USABLE, STOPPED } from './worker-status.ts'

/** A worker, and what its backend was found to be in this process. */
export class Worker implements ProxyWorker {
  readonly name: string
  readonly scheme: string
  readonly hostname: string
  readonly port: number
  readonly socketPath: string | null
  readonly section: SectionInfo | null
  readonly parameters: MutableParameters
  /** For the URLs of a pattern, `http://$1/`: compared up to each `$N`, which stands for any text. */
  readonly pattern: RegExp | null
  /** False for the workers of requests without one of their own. */
  readonly #isOwn: boolean
  /** When it was found in error, in milliseconds since the epoch; 0 if it never was. */
  errorSince = 0
  elected = 0
  busy = 0
  bytesSent = 0
  bytesReceived = 0

  constructor(parts: WorkerParts, section: SectionInfo | null, kind: WorkerKind) {
    // A failure of the only backend for a URL does not keep later requests from it.
    this.parameters = { status: kind === 'member' ? 0 : IGNORES_ERRORS }
    this.name = parts.name
    this.scheme = parts.scheme
    this.hostname = parts.hostname
    this.port = parts.port
    this.socketPath = parts.socketPath
    this.section = section
    this.pattern = kind === 'pattern' && /\$\d/.test(parts.name) ? patternOf(parts.name) : null
    this.#isOwn = kind !== 'default'
  }

  get reusesConnections(): boolean {
    return this.#isOwn && this.pattern === null && this.parameters.reuse !== false
  }

  get isUsable(): boolean {
    return (this.status & NOT_USABLE) === 0
  }

  get ignoresErrors(): boolean {
    return (this.status & IGNORES_ERRORS) !== 0
  }

  /** The bits of its states: those of the configuration, and what was found since. */
  get status(): number {
    return this.parameters.status
  }

  /** Puts the worker in the error state, unless it ignores errors. @returns whether it is in error */
  fail(): boolean {
    if (this.ignoresErrors) return false
    this.parameters.status |= IN_ERROR
    this.errorSince = Date.now()
    return true
  }

  /** Ends the error state if the worker may be tried again. @returns false if it is too soon */
  retry(): boolean {
    if ((this.status & IN_ERROR) === 0) return true
    if ((this.status & STOPPED) !== 0) return false
    if (!this.ignoresErrors && Date.now() < this.errorSince + this.retryTime) return false
    this.parameters.status &= ~IN_ERROR
    return true
  }

  /** `retry=` in milliseconds. */
  get retryTime(): number {
    return this.parameters.retry ?? RETRY_TIME
  }
}

/**
 * The line that makes a worker: a mapping of a prefix or of a pattern, or a member of a balancer; `default` for the
 * requests without a worker of their own.
 */
export type WorkerKind = 'prefix' | 'pattern' | 'member' | 'default'

const RETRY_TIME = 60_000

const STANDARD_PORTS: Readonly<Record<string, number>> = {
  ajp: 8009,
  fcgi: 8000,
  ftp: 21,
  http: 80,
  https: 443,
  scgi: 4000,
  ws: 80,
  wss: 443,
}

/** `HOST:PORT` of a worker in messages. */
export function addressText({ hostname, port, scheme }: ProxyWorker): string {
  return `${hostname}:${port === 0 ? (STANDARD_PORTS[scheme] ?? 0) : port}`
}

/** The name that messages give the protocol of a worker. */
export function protocolName({ scheme }: ProxyWorker): string {
  return scheme === 'fcgi' || scheme === 'scgi' || scheme === 'ajp' ? scheme.toUpperCase() : scheme
}

/** What identifies a worker. */
export interface WorkerParts {
  readonly name: string
  readonly scheme: string
  readonly hostname: string
  readonly port: number
  readonly socketPath: string | null
}

/** The parts of a URL in a configuration, or what is wrong with it. */
export function workerParts(text: string, serverRelative: (path: string) => string): WorkerParts | { readonly error: string } {
  const { socketPath, url } = splitSocket(text, serverRelative)
  const split = splitProxyUrl(url)
  if (split === 'malformed') return { error: `Unable to parse URL: ${text}` }
  if (split === 'relative') return { error: `URL must be absolute!: ${text}` }
  const hostname = split.hostname ?? (socketPath === null ? null : 'localhost')
  if (hostname === null) return { error: `URL must be absolute!: ${text}` }
  const port = /^\d+$/.test(split.port) ? Number(split.port) % 65_536 : 0
  const portText = split.port === '' ? '' : `:${split.port}`
  const name = `${split.scheme}://${split.user}${hostInUrl(hostname)}${portText}${split.rest}`
  return { name, scheme: split.scheme, hostname, port, socketPath }
}

function patternOf(name: string): RegExp {
  const pieces = name.split(/\$\d/).map((piece) => piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${pieces.join('.*')}`, 's')
}
