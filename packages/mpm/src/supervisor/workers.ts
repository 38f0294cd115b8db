import { randomBytes } from 'node:crypto'
import type { KeyPair, ServerSums } from '../roles/messages.ts'
import type { NativeHandle } from '../roles/native-handle.ts'
import { serveTerminal } from '../roles/remote-terminal.ts'
import type { ProcessEnd } from '../roles/role-process.ts'
import { roleSpawn, STANDARD_ERROR } from '../roles/role-spawn.ts'
import { settledWithin } from '../roles/settled-within.ts'
import { acceptDescriptors } from '../sockets/accept-descriptors.ts'
import { listenAddresses } from '../sockets/listen-address.ts'
import type { ListenSockets } from '../sockets/listen-sockets.ts'
import { Backoff } from './backoff.ts'
import { Generation, type GoodRead, type StartFailure } from './generation.ts'
import { HeartbeatWatch } from './heartbeat-watch.ts'
import { drainLimit } from './limits.ts'
import { LogPrograms } from './log-programs.ts'
import { logBackoff, logDeath, logOutOfMemory } from './notices.ts'
import { RotatingKeys } from './rotating-keys.ts'
import { SharedStores } from './shared-stores.ts'
import { SilentErrorLog } from './silent-error-log.ts'
import { StatusCollector } from './status-collector.ts'
import type { SupervisorContext } from './supervisor-context.ts'
import { SupervisorLog } from './supervisor-log.ts'
import { type PassedConnection, WorkerProcess } from './worker-process.ts'

/** Maximum number of generations that drain at a time, because each has its own processes. */
const DRAINING_GENERATIONS = 4
/** Interval of checking the age of keys (ms). */
const KEY_CHECK = 60 * 60 * 1000
/** Time that the next reload waits for one of them to end (ms); afterwards the oldest is ended. */
const DRAIN_PATIENCE = 10_000

/**
 * All workers of a server: those of the active generation, and those of generations that start or drain.
 * Replaces workers that die.
 */
export class Workers {
  readonly #context: SupervisorContext
  readonly #sockets: ListenSockets
  readonly #statuses = new StatusCollector()
  readonly #backoff = new Backoff()
  readonly #silentLog: SilentErrorLog
  readonly #watch: HeartbeatWatch
  readonly #generations = new Set<Generation>()
  /** Log programs that still read the remaining lines of their generation. */
  readonly #endings = new Set<Promise<void>>()
  /**
   * Shared by all workers until the server stops, so that a new generation accepts what an old one has
   * signed.
   */
  readonly secretKey: string
  readonly #stores = new SharedStores()
  readonly #keys: RotatingKeys
  readonly #keyTimer: NodeJS.Timeout
  readonly #renew: () => void
  #current: Generation | null = null
  #made = 0
  /** Number of connections that were passed on. */
  #passed = 0

  /** @param renew replaces all workers by others of the same configuration */
  constructor(context: SupervisorContext, sockets: ListenSockets, renew: () => void) {
    this.#context = context
    this.#sockets = sockets
    this.#renew = renew
    this.secretKey = context.inheritance?.secretKey ?? randomBytes(32).toString('base64')
    if (context.inheritance?.sums !== undefined) this.#statuses.continueFrom(context.inheritance.sums)
    this.#keys = new RotatingKeys(context.inheritance?.rotatingKeys ?? null, Date.now())
    this.#keyTimer = setInterval(() => this.#rotateKeys(), KEY_CHECK).unref()
    this.#silentLog = new SilentErrorLog((line) => context.console.err(line))
    // A debugger may have stopped the only worker.
    this.#watch = new HeartbeatWatch(() => (context.task.onlyOneWorker ? [] : this.#living()), context.limits)
  }

  /** Further keys that workers share, which are replaced every day. */
  get rotatingKeys(): KeyPair {
    return this.#keys.pair
  }

  /** What the server has counted, for its next supervisor. */
  sums(): ServerSums {
    return this.#statuses.sums([...this.#living()])
  }

  /** The former supervisor counts on while its workers complete their requests. */
  continueFrom(sums: ServerSums): void {
    this.#statuses.continueFrom(sums)
  }

  /** The active generation. */
  get current(): Generation | null {
    return this.#current
  }

  /** Resolves when another generation may drain, or when the time limit is reached. */
  async waitForDrain(): Promise<void> {
    const draining = this.#draining()
    if (draining.length < DRAINING_GENERATIONS) return
    this.#current?.log.write(
      'mpm_event',
      'notice',
      '',
      `${draining.length} former generations still have active requests: the restart waits for the oldest`,
    )
    await settledWithin(
      DRAIN_PATIENCE,
      draining.map((generation) => generation.gone()),
    )
  }

  /** Creates a generation that is not started yet; its sockets are bound. @param slots number of workers */
  create(read: GoodRead, slots: number): Generation {
    const programs = new LogPrograms(read.plan)
    const log = this.#openLog(read, programs)
    const generation = new Generation({
      number: this.#made++,
      read,
      log,
      programs,
      startPrograms: () => this.#startPrograms(programs, log),
      addresses: listenAddresses(read.plan.listeners),
      slots,
      sockets: this.#sockets.perAddress,
      startWorker: (self, slot) => this.#startWorker(self, slot),
      retained: this.#current?.retained ?? new Map(),
      formerRecords: this.#current?.records ?? null,
    })
    this.#generations.add(generation)
    return generation
  }

  /**
   * Makes a started generation the active one; the former one has `limit` milliseconds to end, or its own
   * limit.
   */
  takeOver(next: Generation, limit?: number): void {
    const old = this.#current
    this.#current = next
    if (old === null) return
    this.#statuses.reloaded('done')
    old.leave(limit ?? drainLimit(old.plan), 'successor')
    const draining = this.#draining()
    if (draining.length > DRAINING_GENERATIONS) draining[0].leave(0)
    void old.gone().then(() => this.dismiss(old))
  }

  /** A configuration could not be used: the active generation continues. */
  refused(): void {
    this.#statuses.reloaded('refused')
  }

  /** Removes a generation without workers and closes the sockets that only it used. */
  dismiss(generation: Generation): void {
    this.#generations.delete(generation)
    this.#endLogs(generation)
    const generations = [...this.#generations]
    this.#sockets.keepOnly(
      generations.flatMap(({ addresses }) => addresses),
      Math.max(0, ...generations.map(({ sockets }) => sockets)),
    )
  }

  /** Ends all workers. @param limit milliseconds until the connections of a generation are closed */
  async leave(limit: (generation: Generation) => number): Promise<void> {
    const generations = [...this.#generations]
    for (const generation of generations) generation.leave(limit(generation))
    await Promise.all(generations.map((generation) => generation.gone()))
  }

  /** Closes the logs; resolves when all log programs have written their lines. */
  async close(): Promise<void> {
    this.#watch.stop()
    clearInterval(this.#keyTimer)
    for (const generation of this.#generations) this.#endLogs(generation)
    await Promise.all(this.#endings)
  }

  /**
   * Runs a command of an operator in a worker of the active generation. What it changes is known in all of them when this
   * resolves.
   * @param isOfFormer whether a worker of each former generation that still has requests runs it as well
   * @returns the answers as JSON, that of the active generation first
   */
  async command(words: readonly string[], isOfFormer: boolean): Promise<readonly string[]> {
    const serving = [...(this.#current?.living() ?? [])].filter(({ state }) => state === 'serving')
    const [first, ...others] = serving
    const answer = (await first?.command(words)) ?? NO_ANSWER
    await Promise.all(others.map((worker) => worker.command([])))
    if (!isOfFormer) return [answer]
    const former = await Promise.all(this.#draining().map((generation) => [...generation.living()][0]?.command(words)))
    return [answer, ...former.filter((each) => typeof each === 'string')]
  }

  #rotateKeys(): void {
    if (!this.#keys.rotate(Date.now())) return
    for (const worker of this.#living()) worker.rotate(this.#keys.pair)
  }

  #startWorker(generation: Generation, slot: number): WorkerProcess {
    const { program, task, streams, watcher } = this.#context
    const errors = this.#errorDescriptor(generation.log)
    const sockets = acceptDescriptors(this.#sockets.descriptors(slot, generation.slots, generation.sockets, generation.addresses))
    const assignment = {
      start: task.start,
      record: generation.read.record,
      slot,
      generation: generation.number,
      sockets: sockets.length,
      logTargets: [...generation.plan.logPrograms.map(({ target }) => target), ...(errors === null ? [] : [STANDARD_ERROR])],
      showOnConsole: watcher !== null,
      built: task.built,
      secretKey: this.secretKey,
      rotatingKeys: this.#keys.pair,
      hasTerminal: this.#context.console.terminal !== null,
      ...(task.inspectPort !== undefined && { inspectPort: task.inspectPort }),
    }
    const descriptors = [...sockets, ...generation.programs.writeEnds, ...(errors === null ? [] : [errors])]
    const call = roleSpawn('worker', program, { stdout: streams.stdout, stderr: 'pipe' }, descriptors, process.env)
    const started = new WorkerProcess(call, assignment, {
      error: (line) => generation.log.writeLine(line),
      broken: (worker) => this.#replaceBroken(generation, worker),
      retiring: (worker) => {
        if (isOneThatServes(generation, worker)) this.#startSuccessor(generation, worker.slot)
      },
      inspectable: (url) => this.#context.console.err(`debugger: ${url} (chrome://inspect, or attach an editor to this port)`),
      silentErrorLog: (lines) => this.#silentLog.report(lines),
      retain: (name, bytes) => void generation.retained.set(name, bytes),
      retained: () => Object.fromEntries(generation.retained),
      stored: (worker, message) => this.#stores.receive(message, worker),
      recordsChanged: (worker, changes) => generation.records.changed(worker, changes, generation.living()),
      terminal: (worker, request) => serveTerminal(this.#context.console.terminal, request, (answer) => worker.answer(answer)),
      renew: () => {
        if (generation === this.#current) this.#renew()
      },
      passed: (_, message, handle) => this.#passOn(message, handle),
      wantStatuses: (worker, id) =>
        this.#statuses.collect(worker, id, this.#current?.number ?? generation.number, [...this.#living()]),
      status: (worker, round) => this.#statuses.reported(worker, round),
      ended: (worker, end) => {
        this.#stores.left(worker)
        generation.records.left(worker, generation.living())
        this.#onWorkerExit(generation, worker, end)
      },
    })
    generation.records.joined(started)
    return started
  }

  /** The workers that serve take turns. */
  #passOn(message: PassedConnection, handle: NativeHandle): void {
    const serving = [...(this.#current?.living() ?? [])].filter(({ state }) => state === 'serving')
    const next = serving[this.#passed++ % serving.length]
    if (next === undefined) handle.close()
    else next.pass(message, handle)
  }

  #onWorkerExit(generation: Generation, worker: WorkerProcess, end: ProcessEnd): void {
    this.#statuses.ended(worker)
    const { blockage } = worker
    // If a generation fails to start, the reason is reported elsewhere.
    if (blockage !== null && (worker.isLeaving || generation.isServing))
      generation.log.write('mpm_event', 'error', '', `child pid ${end.pid} ${blockage}`)
    if (worker.isLeaving || !generation.isServing) return
    this.#statuses.died()
    if (worker.ranOutOfMemory) logOutOfMemory(generation.log, end)
    if (blockage === null)
      logDeath(generation.log, end, worker.failure === null ? [] : worker.failureLines(end, generation.addresses))
    if (isOneThatServes(generation, worker)) this.#replace(generation, worker)
  }

  /**
   * The meaning of `/dev/stderr` for workers, whose own standard error is read here: the terminal if there is
   * one, otherwise the error log.
   */
  #errorDescriptor(log: SupervisorLog): number | null {
    const { streams, watcher } = this.#context
    const stream = watcher === null ? (log.fd ?? streams.stderr) : 'inherit'
    return typeof stream === 'number' ? stream : stream === 'inherit' ? 2 : null
  }

  /** A worker whose state is unknown still completes its active requests while its successor serves. */
  #replaceBroken(generation: Generation, worker: WorkerProcess): void {
    if (worker.isLeaving || !generation.isServing) return
    const needsSuccessor = isOneThatServes(generation, worker)
    worker.leave(drainLimit(generation.plan))
    if (needsSuccessor) this.#replace(generation, worker)
  }

  #replace(generation: Generation, worker: WorkerProcess): void {
    const now = performance.now()
    const delay = this.#backoff.delayAfterDeath(now - worker.startedAt, now)
    if (delay > 0) logBackoff(generation.log, delay)
    setTimeout(() => {
      if (generation.isServing) this.#startSuccessor(generation, worker.slot)
    }, delay)
  }

  /**
   * A worker that still serves in the slot leaves when its successor serves: both accept from the same
   * socket.
   */
  #startSuccessor(generation: Generation, slot: number): void {
    const successor = generation.startWorker(slot)
    successor.openLogs()
    void successor.loaded.then((ended) => {
      if (ended === null) successor.listen()
    })
    void successor.serving.then((ended) => {
      if (ended === null) generation.leaveTo(successor, drainLimit(generation.plan))
    })
  }

  #draining(): Generation[] {
    return [...this.#generations].filter((generation) => generation !== this.#current)
  }

  *#living(): Iterable<WorkerProcess> {
    for (const generation of this.#generations) yield* generation.living()
  }

  #openLog(read: GoodRead, programs: LogPrograms): SupervisorLog {
    return new SupervisorLog({
      target: read.plan.errorLog,
      pipe: programs.writeEnd(read.plan.errorLog),
      settings: read.log,
      watcher: this.#context.watcher,
    })
  }

  /** A failed start is also reported in its own log; a failed reload, in the log of the active generation. */
  async #startPrograms(programs: LogPrograms, log: SupervisorLog): Promise<StartFailure | null> {
    const failure = await programs.start(log, this.#context.streams)
    if (this.#current === null) for (const line of failure ?? []) log.writeLine(line)
    return failure
  }

  #endLogs({ programs, log }: Generation): void {
    const ending = programs.end(log).finally(() => this.#endings.delete(ending))
    this.#endings.add(ending)
  }
}

const NO_ANSWER = JSON.stringify({ problem: 'no worker answered', hint: 'see the error log, and run the command again' })

/** False for a worker that already has a successor. */
function isOneThatServes(generation: Generation, worker: WorkerProcess): boolean {
  return generation.isServing && !worker.isLeaving && generation.workers[worker.slot] === worker
}
