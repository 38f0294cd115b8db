import type { WorkerStatus } from '@gatewright/api/status'
import type { RecordChange } from '@gatewright/core'
import {
  type Assignment,
  type FromWorker,
  type KeyPair,
  ownMessage,
  type Retained,
  type TerminalRequest,
  type ToWorker,
} from '../roles/messages.ts'
import type { NativeHandle } from '../roles/native-handle.ts'
import { describeEnd, type ProcessEnd, RoleProcess } from '../roles/role-process.ts'
import { type RoleSpawn, spawnRole } from '../roles/role-spawn.ts'
import { bindFailureLines } from '../sockets/bind-messages.ts'
import type { ListenAddress } from '../sockets/listen-address.ts'
import { busyPlace } from './busy-place.ts'
import { isStoreMessage, type StoreAnswer, type StoreMessage } from './shared-stores.ts'

/** The state of a worker. A prepared worker waits for permission to open its logs. */
export type WorkerState = 'loading' | 'prepared' | 'loaded' | 'serving' | 'leaving' | 'gone'

/** Events of a worker that the supervisor handles. */
export interface WorkerEvents {
  /** It has printed a line to standard error. */
  error(line: string): void
  /** It requests to be replaced immediately. */
  broken(worker: WorkerProcess): void
  /** It requests a successor, and serves until the successor does. */
  retiring(worker: WorkerProcess): void
  /** A debugger can reach it. */
  inspectable(url: string): void
  /** The error log accepts no lines: these are to be shown elsewhere. */
  silentErrorLog(lines: readonly string[]): void
  /** A module keeps bytes, in Base64, for the workers that follow. */
  retain(name: string, bytes: string): void
  /** A module asks for new workers with the same configuration. */
  renew(): void
  /** What modules keep. */
  retained(): Retained
  /** A message about a store that workers share. */
  stored(worker: WorkerProcess, message: StoreMessage): void
  /** It has changed records that the workers of its generation share. */
  recordsChanged(worker: WorkerProcess, changes: readonly RecordChange[]): void
  /** It wants something of the terminal at which the server is started. */
  terminal(worker: WorkerProcess, request: TerminalRequest): void
  /** It passes a connection on to a worker that follows. */
  passed(worker: WorkerProcess, message: PassedConnection, handle: NativeHandle): void
  wantStatuses(worker: WorkerProcess, id: number): void
  status(worker: WorkerProcess, id: number, status: WorkerStatus): void
  ended(worker: WorkerProcess, end: ProcessEnd): void
}

/** The reason why a worker failed to start: lines to print, or a socket on which it could not listen. */
export type StartRefusal = { readonly lines: readonly string[] } | { readonly socket: number; readonly errno: number }

/** What a worker says about a connection. */
export type PassedConnection = Extract<FromWorker, { type: 'pass' }>

/** Time limit for the answer to a command of an operator (ms). */
const COMMAND_PATIENCE = 10_000

/** One worker as the supervisor sees it. */
export class WorkerProcess {
  readonly slot: number
  readonly generation: number
  readonly startedAt: number = performance.now()
  readonly end: Promise<ProcessEnd>
  /** Null when its logs are open, or how it ended before. */
  readonly logsOpen: Promise<ProcessEnd | null>
  /** Null when everything that can fail is done, or how it ended before. */
  readonly loaded: Promise<ProcessEnd | null>
  /** Null when it accepts connections, or how it ended before. */
  readonly serving: Promise<ProcessEnd | null>
  /** Time of `performance.now` at which its last message arrived. */
  lastHeard: number = performance.now()
  /** True while a person has to act before it can load. */
  waitsForPerson: boolean = false
  /** Its latest figures; null if it has not reported any. */
  status: WorkerStatus | null = null
  /** The reason of its failure, if it reported one. */
  failure: StartRefusal | null = null
  /** Seconds of silence for which it was ended, or null. */
  #silence: number | null = null
  #state: WorkerState = 'loading'
  #loading: string | null = null
  #isLeaving = false
  #mayOpenLogs = false
  /** Commands that it has not answered yet. */
  readonly #commands = new Map<number, (answer: string | null) => void>()
  #lastCommand = 0
  readonly #reachedLogsOpen = Promise.withResolvers<null>()
  readonly #reachedLoaded = Promise.withResolvers<null>()
  readonly #reachedServing = Promise.withResolvers<null>()
  readonly #process: RoleProcess
  readonly #events: WorkerEvents

  constructor(call: RoleSpawn, assignment: Assignment, events: WorkerEvents) {
    this.slot = assignment.slot
    this.generation = assignment.generation
    this.#events = events
    this.#process = new RoleProcess(spawnRole(call), {
      message: (message) => this.#hear(message),
      handle: (message, handle) => this.#takeHandle(message, handle),
      error: (line) => events.error(line),
    })
    this.end = this.#process.end.then((end) => {
      this.#state = 'gone'
      for (const settle of [...this.#commands.values()]) settle(null)
      events.ended(this, end)
      return end
    })
    this.logsOpen = Promise.race([this.#reachedLogsOpen.promise, this.end])
    this.loaded = Promise.race([this.#reachedLoaded.promise, this.end])
    this.serving = Promise.race([this.#reachedServing.promise, this.end])
    this.#send({ type: 'load', assignment })
  }

  get pid(): number {
    return this.#process.pid
  }

  get state(): WorkerState {
    return this.#state
  }

  /** True when its end is expected. */
  get isLeaving(): boolean {
    return this.#isLeaving
  }

  /** @param isFirst false for a worker that follows another one of the same configuration */
  openLogs(isFirst = false): void {
    this.#mayOpenLogs = true
    this.lastHeard = performance.now()
    if (this.#state === 'prepared') this.#state = 'loading'
    this.#send({ type: 'openLogs', retained: this.#events.retained(), first: isFirst })
  }

  listen(): void {
    this.#send({ type: 'listen' })
  }

  /**
   * @param limit milliseconds until the remaining connections are closed; 0 closes everything immediately
   * @param successor `successor` if another worker serves in its place
   */
  leave(limit: number, successor: 'successor' | 'none' = 'none'): void {
    if (this.#state === 'gone') return
    this.#isLeaving = true
    this.#state = 'leaving'
    this.#send(limit > 0 ? { type: 'drain', limit, isSucceeded: successor === 'successor' } : { type: 'stop' })
  }

  /** Passes on a connection of a former worker. */
  pass({ name, label }: PassedConnection, handle: NativeHandle): void {
    this.#process.sendHandle({ type: 'passed', name, label } satisfies ToWorker, handle)
  }

  shareRecords(changes: readonly RecordChange[]): void {
    if (this.#state !== 'gone') this.#send({ type: 'recordChanges', changes })
  }

  rotate(keys: KeyPair): void {
    this.#send({ type: 'rotate', keys })
  }

  ask(id: number): void {
    this.#send({ type: 'tellStatus', id })
  }

  /** Runs a command of an operator. @returns its answer, as JSON; null if the worker ends or is late */
  command(words: readonly string[]): Promise<string | null> {
    if (this.#state === 'gone') return Promise.resolve(null)
    const id = ++this.#lastCommand
    return new Promise((resolve) => {
      const settle = (answer: string | null): void => {
        clearTimeout(late)
        this.#commands.delete(id)
        resolve(answer)
      }
      const late = setTimeout(() => settle(null), COMMAND_PATIENCE)
      this.#commands.set(id, settle)
      this.#send({ type: 'command', id, words })
    })
  }

  answer(message: StoreAnswer | Extract<ToWorker, { type: 'statuses' | 'answer' }>): void {
    this.#send(message)
  }

  /** Ends the worker because it does not respond, and makes it report what it was doing. */
  interrupt(seconds: number): void {
    this.#silence = seconds
    this.#process.interrupt()
  }

  kill(): void {
    this.#process.kill()
  }

  /** The message about a worker that was ended because it did not respond; null for others. */
  get blockage(): string | null {
    if (this.#silence === null) return null
    const place = this.#loading === null ? '' : `, while loading ${this.#loading},`
    return `did not answer for ${this.#silence} seconds${place} and was ended; ${busyPlace(this.#process.stack)}`
  }

  /** Whether it ended because its memory was exhausted. */
  get ranOutOfMemory(): boolean {
    return this.#process.ranOutOfMemory
  }

  /** The lines that explain why it never became ready. */
  failureLines(end: ProcessEnd, addresses: readonly ListenAddress[]): readonly string[] {
    if (this.failure !== null && 'lines' in this.failure) return this.failure.lines
    if (this.failure !== null) {
      const address = addresses[this.failure.socket % addresses.length]
      return bindFailureLines([{ address, listen: address, errno: this.failure.errno }])
    }
    if (this.blockage !== null) return [`a worker (pid ${end.pid}) ${this.blockage}`]
    const place = this.#loading === null ? '' : `, while loading ${this.#loading}`
    return [`a worker (pid ${end.pid}) ended before it was ready: ${describeEnd(end)}${place}`]
  }

  #send(message: ToWorker): void {
    this.#process.send(message)
  }

  #takeHandle(raw: unknown, handle: NativeHandle): void {
    const message = ownMessage<FromWorker>(raw, MESSAGES)
    // A worker that serves keeps what it has.
    if (message?.type === 'pass' && this.#isLeaving) this.#events.passed(this, message, handle)
    else handle.close()
  }

  #hear(raw: unknown): void {
    const message = ownMessage<FromWorker>(raw, MESSAGES)
    if (message === undefined) return
    this.lastHeard = performance.now()
    if (isStoreMessage(message)) {
      this.#events.stored(this, message)
      return
    }
    switch (message.type) {
      case 'loading':
        this.#loading = message.file
        break
      case 'prepared':
        if (this.#state === 'loading' && !this.#mayOpenLogs) this.#state = 'prepared'
        break
      case 'retain':
        // Others read it with the privileges of the start: a worker that serves, which may be a client's, adds nothing.
        if (this.#state === 'loading') this.#events.retain(message.name, message.bytes)
        break
      case 'shareRecords':
        this.#events.recordsChanged(this, message.changes)
        break
      case 'show':
      case 'askSecret':
        // Code of a worker that serves must not appear at the terminal.
        if (this.#state === 'loading') this.#events.terminal(this, message)
        break
      case 'waitsForPerson':
        this.waitsForPerson = message.isWaiting && this.#state === 'loading'
        break
      case 'renew':
        this.#events.renew()
        break
      case 'logsOpen':
        this.#reachedLogsOpen.resolve(null)
        break
      case 'loaded':
        this.#loading = null
        this.waitsForPerson = false
        if (this.#state === 'loading') this.#state = 'loaded'
        this.#reachedLoaded.resolve(null)
        break
      case 'ready':
        if (this.#state === 'loaded') this.#state = 'serving'
        this.#reachedServing.resolve(null)
        break
      case 'inspectable':
        this.#events.inspectable(message.url)
        break
      case 'failed':
        this.failure = { lines: message.lines }
        break
      case 'listenFailed':
        this.failure = { socket: message.socket, errno: message.errno }
        break
      case 'broken':
        this.#events.broken(this)
        break
      case 'worn':
        this.#events.retiring(this)
        break
      case 'silentErrorLog':
        this.#events.silentErrorLog(message.lines)
        break
      case 'wantStatuses':
        this.#events.wantStatuses(this, message.id)
        break
      case 'status':
        this.status = message.status
        this.#events.status(this, message.id, message.status)
        break
      case 'commandDone':
        this.#commands.get(message.id)?.(message.answer)
        break
      case 'ended':
        this.status = message.status
        break
      case 'beat':
        this.status = { ...message.status, requests: this.status?.requests ?? [] }
        break
    }
  }
}

const MESSAGES: Readonly<Record<FromWorker['type'], true>> = {
  loading: true,
  prepared: true,
  logsOpen: true,
  retain: true,
  pass: true,
  store: true,
  forget: true,
  lookUp: true,
  increment: true,
  exchange: true,
  publish: true,
  subscribe: true,
  unsubscribe: true,
  askFigures: true,
  shareRecords: true,
  show: true,
  askSecret: true,
  waitsForPerson: true,
  renew: true,
  loaded: true,
  ready: true,
  inspectable: true,
  failed: true,
  listenFailed: true,
  beat: true,
  broken: true,
  worn: true,
  silentErrorLog: true,
  wantStatuses: true,
  status: true,
  commandDone: true,
  ended: true,
}
