import type { ProxyWorker, SectionInfo } from '@gatewright/api'
import { hostInUrl, splitProxyUrl, splitSocket } from './proxy-url.ts'
import { type MutableParameters, newParameters } from './worker-parameters.ts'

/** A worker, and what its backend was found to be in this process. */
export class Worker implements ProxyWorker {
  readonly name: string
  readonly scheme: string
  readonly hostname: string
  readonly port: number
  readonly socketPath: string | null
  readonly section: SectionInfo | null
  readonly parameters: MutableParameters = newParameters()
  /** For the URLs of a pattern, `http://$1/`: compared up to each `$N`, which stands for any text. */
  readonly pattern: RegExp | null
  /** False for the workers of requests without one of their own. */
  readonly #isOwn: boolean
  /** When it was found in error, in milliseconds since the epoch; 0 if it is not in error. */
  errorSince = 0
  elected = 0
  busy = 0
  bytesSent = 0
  bytesReceived = 0

  constructor(parts: WorkerParts, section: SectionInfo | null, kind: 'prefix' | 'pattern' | 'default') {
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
    const { status } = this.parameters
    return !status.disabled && !status.stopped
  }
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
