import type { ProxyMember, ProxyMemberFigure, ProxyWorker, SectionInfo, SharedRecord, SharedRecordShape } from '@gatewright/api'
import { DURATION_BOUNDS } from '@gatewright/api/status'
import { changesIn, textOf } from './parameter-changes.ts'
import { hostInUrl, splitProxyUrl, splitSocket } from './proxy-url.ts'
import { type MutableParameters, setWorkerParameter } from './worker-parameters.ts'
import {
  BUSY,
  CHECKS_FAIL,
  DURATION,
  DURATIONS,
  ELECTED,
  ERROR,
  ERROR_SINCE,
  FAILURES,
  LB_STATUS,
  OwnRecord,
  RECEIVED,
  RETRIES,
  SENT,
  STATES,
  workerShape,
} from './worker-record.ts'
import { FAILS_CHECKS, IGNORES_ERRORS, IN_ERROR, NOT_USABLE, STOPPED } from './worker-status.ts'

/** A worker, and what its backend was found to be. */
export class Worker implements ProxyMember {
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
  /** Whether it belongs to a balancer. */
  readonly isMember: boolean
  /** Whether the line that makes it is a mapping of a pattern, even if its URL has no `$N`. */
  readonly isOfPattern: boolean
  #record: SharedRecord = new OwnRecord()
  /** Parameters that an operator has changed. */
  readonly #changes = new Map<string, string>()
  #changed: () => void = () => undefined

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
    this.isMember = kind === 'member'
    this.isOfPattern = kind === 'pattern'
  }

  get reusesConnections(): boolean {
    return this.#isOwn && this.pattern === null && this.parameters.reuse !== false
  }

  /**
   * From now on, the processes of the server share what is found of the worker.
   * @param changed called after an operator has changed something here
   */
  share(open: (shape: SharedRecordShape) => SharedRecord, changed: () => void): void {
    this.#record = open(workerShape((text) => this.#apply(text)))
    this.#apply(this.#record.text)
    this.#changed = changed
  }

  /** What an operator has changed, as {@link restore} takes it. */
  get changes(): string {
    return textOf(this.#changes)
  }

  /** The states that an operator has set, and 1; 0 where those of the configuration count. */
  get changedStates(): number {
    return this.#record.numbers[STATES]
  }

  /** Makes changes that were kept from before a reload. Those that an operator has made since take precedence. */
  restore(changes: string, states: number): void {
    const since = this.changes
    this.#apply(changes)
    this.#apply(since)
    if (this.changedStates === 0 && states !== 0) this.#record.set(STATES, states)
  }

  get isUsable(): boolean {
    return (this.status & NOT_USABLE) === 0
  }

  get ignoresErrors(): boolean {
    return (this.status & IGNORES_ERRORS) !== 0
  }

  get status(): number {
    const { numbers } = this.#record
    const { status } = this.parameters
    const states = numbers[STATES] === 0 ? status : numbers[STATES] - 1
    const inError = numbers[ERROR] === 0 ? (status & IN_ERROR) !== 0 : numbers[ERROR] === 2
    const failsChecks = numbers[CHECKS_FAIL] === 0 ? (status & FAILS_CHECKS) !== 0 : numbers[CHECKS_FAIL] === 2
    return (states & ~(IN_ERROR | FAILS_CHECKS)) | (inError ? IN_ERROR : 0) | (failsChecks ? FAILS_CHECKS : 0)
  }

  get route(): string {
    return this.parameters.route ?? ''
  }

  get redirect(): string {
    return this.parameters.redirect ?? ''
  }

  get lbset(): number {
    return this.parameters.lbset ?? 0
  }

  get lbfactor(): number {
    return this.parameters.loadfactor ?? 100
  }

  get elected(): number {
    return this.#record.numbers[ELECTED]
  }

  get busy(): number {
    return this.#record.numbers[BUSY]
  }

  get sent(): number {
    return this.#record.numbers[SENT]
  }

  get received(): number {
    return this.#record.numbers[RECEIVED]
  }

  get lbStatus(): number {
    return this.#record.numbers[LB_STATUS]
  }

  get retries(): number {
    return this.#record.numbers[RETRIES]
  }

  get errorSince(): number {
    return this.#record.numbers[ERROR_SINCE]
  }

  count(figure: ProxyMemberFigure, amount: number): void {
    this.#record.add(FIGURES[figure], amount)
  }

  /** All figures of its record, in the order of worker-record.ts. */
  get figures(): Float64Array {
    return this.#record.numbers
  }

  /** Attempts that ended without a response of the backend. */
  get failures(): number {
    return this.#record.numbers[FAILURES]
  }

  /** Seconds of all attempts. */
  get duration(): number {
    return this.#record.numbers[DURATION]
  }

  /** Attempts by DURATION_BOUNDS, and those that took longer. */
  get durations(): Float64Array {
    return this.#record.numbers.subarray(DURATIONS)
  }

  /** Counts an attempt. @param milliseconds until its response began, or until it was clear that there is none */
  countAttempt(milliseconds: number, hasFailed: boolean): void {
    const seconds = milliseconds / 1000
    const found = DURATION_BOUNDS.findIndex((bound) => seconds <= bound)
    this.#record.add(DURATION, seconds)
    this.#record.add(DURATIONS + (found < 0 ? DURATION_BOUNDS.length : found), 1)
    if (hasFailed) this.#record.add(FAILURES, 1)
  }

  mark(states: number, on: boolean): void {
    if ((states & IN_ERROR) !== 0) this.#record.set(ERROR, on ? 2 : 1)
    if ((states & FAILS_CHECKS) !== 0) this.#record.set(CHECKS_FAIL, on ? 2 : 1)
    const others = states & ~(IN_ERROR | FAILS_CHECKS)
    if (others === 0) return
    this.#record.set(STATES, (on ? this.status | others : this.status & ~others) + 1)
    this.#changed()
  }

  change(name: string, value: string): string | undefined {
    const problem = setWorkerParameter(this.parameters, name, value)
    if (problem !== undefined) return problem
    this.#changes.set(name, value)
    this.#record.setText(textOf(this.#changes))
    this.#changed()
    return undefined
  }

  fail(): boolean {
    if (this.ignoresErrors) return false
    this.#record.set(ERROR, 2)
    this.#record.set(ERROR_SINCE, Date.now())
    return true
  }

  retry(): boolean {
    const { status } = this
    if ((status & IN_ERROR) === 0) return true
    if ((status & STOPPED) !== 0) return false
    if ((status & IGNORES_ERRORS) === 0 && Date.now() < this.errorSince + this.retryTime) return false
    this.recover()
    return true
  }

  /** Ends the error state. */
  recover(): void {
    this.#record.add(RETRIES, 1)
    this.#record.set(ERROR, 1)
  }

  /** `retry=` in milliseconds. */
  get retryTime(): number {
    return this.parameters.retry ?? RETRY_TIME
  }

  #apply(text: string): void {
    for (const [name, value] of changesIn(text)) {
      this.#changes.set(name, value)
      setWorkerParameter(this.parameters, name, value)
    }
  }
}

const FIGURES: Readonly<Record<ProxyMemberFigure, number>> = {
  elected: ELECTED,
  busy: BUSY,
  sent: SENT,
  received: RECEIVED,
  lbStatus: LB_STATUS,
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
  h2: 443,
  h2c: 80,
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
  return IN_CAPITALS.has(scheme) ? scheme.toUpperCase() : scheme
}

const IN_CAPITALS: ReadonlySet<string> = new Set(['ajp', 'fcgi', 'h2', 'h2c', 'scgi'])

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
