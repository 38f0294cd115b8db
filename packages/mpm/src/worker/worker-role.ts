import type { AnyModule, LogLevelName } from '@gatewright/api'
import type { ServerStatus, WorkerStatus } from '@gatewright/api/status'
import {
  type BoundConfiguration,
  ConfigError,
  createRuntime,
  ReplayedSource,
  type ServerRuntime,
  type WorkerServer,
} from '@gatewright/core'
import { ownDescriptor } from '@gatewright/log'
import { loadStart } from '../reader/load-start.ts'
import { announceLoading } from '../roles/announce-loading.ts'
import { type Assignment, type FromWorker, ownMessage, type ToWorker } from '../roles/messages.ts'
import { type ParentChannel, parentChannel } from '../roles/parent-channel.ts'
import { RemoteTerminal } from '../roles/remote-terminal.ts'
import { FIRST_SOCKET, STANDARD_ERROR } from '../roles/role-spawn.ts'
import { ownerOf } from '../start/credentials.ts'
import { descriptorLimit } from '../supervisor/descriptor-limit.ts'
import { acceptWithin, connectionLimit, openDescriptors } from './connection-limit.ts'
import { ConnectionLimitLog } from './connection-limit-log.ts'
import { dropPrivileges } from './drop-privileges.ts'
import { type Accept, Listening } from './listening.ts'
import { openInspector } from './open-inspector.ts'
import { PassedConnections } from './passed-connections.ts'
import { WorkerSharedState } from './shared-state.ts'
import { StatusQuestions } from './status-questions.ts'
import { catchStrayErrors } from './stray-errors.ts'

/** Interval of heartbeats (ms); the supervisor ends a worker that misses many of them. */
const HEARTBEAT = 1_000
/** Time limit for the connections of a worker without a supervisor (ms). */
const ORPHAN_LIMIT = 60_000

/**
 * Serves: loads what the reader has read, drops privileges, listens on request, and ends on request or when
 * the supervisor has ended.
 */
export function runWorker(compiledIn: readonly AnyModule[]): void {
  // The supervisor handles these signals. SIGINT must have no listener, see role-spawn.ts.
  for (const signal of ['SIGHUP', 'SIGWINCH'] as const) process.on(signal, ignore)
  // The supervisor reads what is printed here. If the supervisor has ended, no process reads it, which is no
  // reason for the worker to end.
  process.stderr.on('error', ignore)
  const worker = new Worker(parentChannel<FromWorker>(), compiledIn)
  process.on('message', (message, handle: unknown) => {
    const order = ownMessage<ToWorker>(message, ORDERS)
    if (order?.type === 'passed') worker.take(order, handle)
    else if (order !== undefined) worker.obey(order)
  })
  process.once('disconnect', () => worker.goAlone())
  process.on('SIGTERM', () => worker.leave(0))
}

const ALONE =
  'the supervisor has ended: this worker accepts no more connections and ends after its active requests; start the server again'

const ORDERS: Readonly<Record<ToWorker['type'], true>> = {
  load: true,
  openLogs: true,
  listen: true,
  rotate: true,
  found: true,
  sum: true,
  exchanged: true,
  published: true,
  figures: true,
  recordChanges: true,
  answer: true,
  drain: true,
  passed: true,
  stop: true,
  tellStatus: true,
  statuses: true,
  command: true,
}

interface Loaded {
  readonly assignment: Assignment
  readonly configuration: BoundConfiguration
  readonly runtime: ServerRuntime
  readonly server: WorkerServer
}

class Worker {
  readonly #parent: ParentChannel<FromWorker>
  readonly #compiledIn: readonly AnyModule[]
  readonly #questions: StatusQuestions
  readonly #listening = new Listening()
  readonly #terminal: RemoteTerminal
  #shared: WorkerSharedState | null = null
  readonly #connections: PassedConnections
  readonly #mayOpenLogs = Promise.withResolvers<Extract<ToWorker, { type: 'openLogs' }>>()
  #loaded: Loaded | null = null
  #leaving = false
  #ending = false
  #stopCatching: () => void = ignore
  #endTasks: () => void = ignore

  constructor(parent: ParentChannel<FromWorker>, compiledIn: readonly AnyModule[]) {
    this.#parent = parent
    this.#compiledIn = compiledIn
    this.#terminal = new RemoteTerminal((message) => parent.send(message))
    this.#connections = new PassedConnections((message, handle, done) => parent.sendHandle(message, handle, done))
    this.#questions = new StatusQuestions((id) => parent.send({ type: 'wantStatuses', id }))
  }

  /** Takes a connection of a former worker. */
  take({ name, label }: Extract<ToWorker, { type: 'passed' }>, handle: unknown): void {
    this.#connections.receive(name, label, handle)
  }

  obey(order: Exclude<ToWorker, { type: 'passed' }>): void {
    switch (order.type) {
      case 'load':
        this.#load(order.assignment).then(
          () => this.#parent.send({ type: 'loaded' }),
          (error: unknown) => this.#fail(order.assignment, error),
        )
        break
      case 'openLogs':
        this.#mayOpenLogs.resolve(order)
        break
      case 'listen':
        void this.#listen()
        break
      case 'rotate':
        this.#shared?.rotate(order.keys)
        break
      case 'found':
      case 'sum':
      case 'exchanged':
      case 'figures':
        this.#shared?.replied(order)
        break
      case 'published':
        this.#shared?.published(order)
        break
      case 'recordChanges':
        this.#shared?.recordChanges(order.changes)
        break
      case 'answer':
        this.#terminal.answered(order)
        break
      case 'drain':
        this.leave(order.limit)
        if (order.isSucceeded === true) this.#connections.leave()
        break
      case 'stop':
        this.leave(0)
        break
      case 'tellStatus':
        if (this.#loaded !== null) this.#parent.send({ type: 'status', id: order.id, status: ownStatus(this.#loaded) })
        break
      case 'statuses':
        this.#questions.answer(order.id, order.statuses)
        break
      case 'command':
        void this.#runCommand(order.id, order.words)
        break
    }
  }

  /**
   * Stops accepting, gives connections at most `limit` milliseconds to end, closes the rest and ends the
   * process. A second call with a shorter limit ends sooner.
   */
  leave(limit: number): void {
    const loaded = this.#loaded
    if (loaded === null) process.exit(0)
    this.#listening.close()
    this.#endTasks()
    if (limit <= 0) void this.#end(loaded)
    else {
      setTimeout(() => void this.#end(loaded), limit).unref()
      if (!this.#leaving) void loaded.server.drain().then(() => this.#end(loaded))
    }
    this.#leaving = true
  }

  /** The supervisor has ended, and no other process reports it. */
  goAlone(): void {
    if (!this.#leaving && this.#loaded !== null) this.#loaded.runtime.reportLine('mpm_event', 'crit', '', ALONE)
    this.leave(ORPHAN_LIMIT)
  }

  async #load(assignment: Assignment): Promise<void> {
    if (assignment.inspectPort !== undefined)
      this.#parent.send({ type: 'inspectable', url: openInspector(assignment.inspectPort) })
    announceLoading((file) => this.#parent.send({ type: 'loading', file }))
    const pipes = logPipes(assignment)
    const retained = new Map<string, Uint8Array>()
    this.#shared = new WorkerSharedState(assignment.rotatingKeys, (message) => this.#parent.send(message), this.#connections)
    const configuration = await loadStart(assignment.start, {
      source: new ReplayedSource(assignment.record),
      compiledIn: this.#compiledIn,
      // The reader has reported them already.
      report: ignore,
      purpose: 'serve',
      logPipes: pipes,
      secretKey: Buffer.from(assignment.secretKey, 'base64'),
      shared: this.#shared,
      retained: {
        get: (name) => retained.get(name),
        set: (name, bytes) => {
          retained.set(name, bytes)
          this.#parent.send({ type: 'retain', name, bytes: Buffer.from(bytes).toString('base64') })
        },
      },
      ...(assignment.hasTerminal && { terminal: this.#terminal }),
      onWaitingForPerson: (isWaiting) => this.#parent.send({ type: 'waitsForPerson', isWaiting }),
      renewProcesses: () => this.#parent.send({ type: 'renew' }),
      collectStatus: () => this.#collectStatus(runtime, assignment.built),
      onSilentErrorLog: (lines) => this.#parent.send({ type: 'silentErrorLog', lines }),
    })
    const runtime = createRuntime(configuration)
    this.#parent.send({ type: 'prepared' })
    const order = await this.#mayOpenLogs.promise
    for (const [name, bytes] of Object.entries<string>(order.retained ?? {})) retained.set(name, Buffer.from(bytes, 'base64'))
    await runtime.openLogs()
    this.#parent.send({ type: 'logsOpen' })
    if (assignment.showOnConsole) await showOnConsole(configuration.plan.errorLog, runtime, pipes.get(STANDARD_ERROR))
    await runtime.postConfig(order.first === true)
    // It is for postConfig, and may be large.
    retained.clear()
    dropPrivileges(ownerOf(configuration.plan))
    await runtime.initialize()
    const loaded = { assignment, configuration, runtime, server: runtime.serve() }
    this.#loaded = loaded
    this.#stopCatching = catchStrayErrors(runtime, () => this.#parent.send({ type: 'broken' }))
    setInterval(() => this.#parent.send({ type: 'beat', status: { ...ownStatus(loaded), requests: [] } }), HEARTBEAT).unref()
  }

  async #listen(): Promise<void> {
    const loaded = this.#loaded
    if (loaded === null || this.#leaving) return
    const { assignment, configuration, runtime, server } = loaded
    const { maxConnectionsPerChild, listenBacklog } = configuration.plan
    const report = (level: LogLevelName, text: string): void => runtime.reportLine('mpm_event', level, '', text)
    const take: Accept =
      maxConnectionsPerChild > 0
        ? countingAccept(server, maxConnectionsPerChild, () => this.#parent.send({ type: 'worn' }))
        : (socket, local) => server.accept(socket, local)
    const limitLog = new ConnectionLimitLog(report, () => performance.now())
    const accept = acceptWithin(connectionLimit(descriptorLimit(), openDescriptors()), server, take, limitLog)
    const failure = await this.#listening.open(assignment.sockets, listenBacklog, accept, (error) =>
      report('error', `a connection could not be accepted: ${error.message}`),
    )
    if (failure === undefined) {
      this.#parent.send({ type: 'ready' })
      // One of the workers of each generation has the first slot.
      if (assignment.slot === 0 && !this.#leaving) this.#endTasks = loaded.runtime.startTasks()
    } else this.#parent.sendLast({ type: 'listenFailed', ...failure }, 1)
  }

  #fail(assignment: Assignment, error: unknown): void {
    const lines =
      error instanceof ConfigError
        ? error.lines(assignment.start.program)
        : [error instanceof Error ? error.message : String(error)]
    this.#parent.sendLast({ type: 'failed', lines: lines.filter((line) => line !== '') }, 1)
  }

  /** The configuration facts of this process, with the figures of all workers. */
  async #collectStatus(runtime: ServerRuntime, built: string): Promise<ServerStatus> {
    const { generation, ...known } = await this.#questions.ask()
    const facts = await runtime.ownStatus()
    return { ...facts, ...known, configGeneration: generation + 1, mpmGeneration: generation, built }
  }

  /** Without words, the answer confirms that the worker knows what others have changed before. */
  async #runCommand(id: number, words: readonly string[]): Promise<void> {
    const result = words.length === 0 ? {} : await this.#loaded?.runtime.runCommand(words)
    this.#shared?.flushRecords()
    this.#parent.send({ type: 'commandDone', id, answer: JSON.stringify(result ?? { problem: 'the worker does not serve yet' }) })
  }

  async #end(loaded: Loaded): Promise<void> {
    if (this.#ending) return
    this.#ending = true
    await loaded.server.close()
    this.#stopCatching()
    this.#parent.sendLast({ type: 'ended', status: ownStatus(loaded) }, 0)
  }
}

/**
 * Calls `onLimit` for the last connection that a worker should accept; it accepts more until its successor
 * serves.
 */
function countingAccept(server: WorkerServer, limit: number, onLimit: () => void): Accept {
  let count = 0
  return (socket, local) => {
    server.accept(socket, local)
    if (++count === limit) onLimit()
  }
}

function ownStatus({ assignment, server }: Loaded): WorkerStatus {
  return { ...server.status(), slot: assignment.slot, generation: assignment.generation }
}

/** Descriptors by log target. */
function logPipes({ sockets, logTargets }: Assignment): ReadonlyMap<string, number> {
  return new Map(logTargets.map((target, index) => [target, FIRST_SOCKET + sockets + index]))
}

/** Error log lines for people at a terminal; a log that goes there anyway is not repeated. */
async function showOnConsole(errorLog: string, runtime: ServerRuntime, fd: number | undefined): Promise<void> {
  if (ownDescriptor(errorLog) === 2) return
  const { ConsoleDestination } = await import('@gatewright/log/console')
  const console = new ConsoleDestination(fd === undefined ? {} : { fd })
  runtime.onErrorLogLine((record) => console.writeRecord(record))
}

function ignore(): void {}
