import type { Plan } from '@gatewright/core'
import type { ReadResult } from '../roles/messages.ts'
import type { ProcessEnd } from '../roles/role-process.ts'
import type { ListenAddress } from '../sockets/listen-address.ts'
import type { LogPrograms } from './log-programs.ts'
import { SharedRecordBoard } from './shared-record-board.ts'
import type { SupervisorLog } from './supervisor-log.ts'
import type { WorkerProcess } from './worker-process.ts'

/** A configuration that was read without errors. */
export type GoodRead = Extract<ReadResult, { good: true }>

export interface GenerationOptions {
  readonly number: number
  readonly read: GoodRead
  readonly log: SupervisorLog
  readonly programs: LogPrograms
  readonly startPrograms: () => Promise<StartFailure | null>
  readonly addresses: readonly ListenAddress[]
  /** Number of workers. */
  readonly slots: number
  /** Number of sockets of each address that the workers share. */
  readonly sockets: number
  readonly startWorker: (generation: Generation, slot: number) => WorkerProcess
  /** What modules of the former generation keep. */
  readonly retained: ReadonlyMap<string, string>
  /** What the workers of the former generation share; null at the first start. */
  readonly formerRecords: SharedRecordBoard | null
}

/** The reason why a generation failed to start, as lines. */
export type StartFailure = readonly string[]

/** A worker that does not end within this time (ms) after a request to end immediately is killed. */
const STOP_PATIENCE = 3_000

/** A configuration and the workers that serve it, one per slot. */
export class Generation {
  readonly number: number
  readonly read: GoodRead
  readonly log: SupervisorLog
  readonly programs: LogPrograms
  readonly addresses: readonly ListenAddress[]
  readonly slots: number
  readonly sockets: number
  /**
   * What modules keep for the workers that follow, in Base64. It is transmitted to workers only. A generation that fails
   * takes what it has changed with it: the workers of the active one find what its own first worker kept.
   */
  readonly retained: Map<string, string>
  readonly records: SharedRecordBoard
  /** The current worker of each slot. */
  readonly workers: WorkerProcess[] = []
  readonly #options: GenerationOptions
  /** Workers that were replaced and still complete their active requests. */
  readonly #former = new Set<WorkerProcess>()
  #serving = false
  #left = false

  constructor(options: GenerationOptions) {
    this.#options = options
    this.number = options.number
    this.read = options.read
    this.log = options.log
    this.programs = options.programs
    this.addresses = options.addresses
    this.slots = options.slots
    this.sockets = options.sockets
    this.retained = new Map(options.retained)
    this.records = new SharedRecordBoard(options.formerRecords)
  }

  get plan(): Plan {
    return this.read.plan
  }

  /** True from the time when all workers serve until they are asked to leave: dead workers are replaced. */
  get isServing(): boolean {
    return this.#serving
  }

  /** All workers that have not ended. */
  *living(): Iterable<WorkerProcess> {
    for (const worker of [...this.workers, ...this.#former]) if (worker.state !== 'gone') yield worker
  }

  /**
   * Starts the log programs, then all workers. No worker listens before all are loaded, so that a
   * configuration that fails never accepts a connection.
   * @param beforeListening steps between the two, which may fail as well
   * @returns null, or what failed; then no worker is left
   */
  async start(beforeListening: () => StartFailure | null): Promise<StartFailure | null> {
    const trouble = await this.#options.startPrograms()
    if (trouble !== null || this.#left) return trouble ?? []
    for (let slot = 0; slot < this.slots; slot++) this.startWorker(slot)
    this.#openLogs()
    const failure = (await this.#all((worker) => worker.loaded)) ?? beforeListening() ?? (await this.#listen())
    if (failure === null) this.#serving = true
    else await this.#kill()
    return failure
  }

  /** Starts a worker in a slot; a worker that still exists there only completes its active requests. */
  startWorker(slot: number): WorkerProcess {
    const former = this.workers[slot]
    if (former !== undefined && former.state !== 'gone') {
      this.#former.add(former)
      void former.end.then(() => this.#former.delete(former))
    }
    const worker = this.#options.startWorker(this, slot)
    this.workers[slot] = worker
    return worker
  }

  /**
   * Ends the former workers of the slot of a worker that serves.
   * @param limit milliseconds until their connections are closed
   */
  leaveTo(successor: WorkerProcess, limit: number): void {
    for (const worker of this.#former) if (worker.slot === successor.slot && !worker.isLeaving) worker.leave(limit, 'successor')
  }

  /**
   * @param limit milliseconds until connections are closed; 0 closes them immediately, and kills workers that
   * do not end
   * @param successor `successor` if another generation serves in its place
   */
  leave(limit: number, successor: 'successor' | 'none' = 'none'): void {
    this.#serving = false
    this.#left = true
    for (const worker of this.living()) {
      worker.leave(limit, successor)
      if (limit === 0) killIfLate(worker)
    }
  }

  /** Resolves when no worker is left. */
  async gone(): Promise<void> {
    await Promise.all([...this.living()].map((worker) => worker.end))
  }

  async #kill(): Promise<void> {
    for (const worker of this.living()) {
      worker.leave(0)
      worker.kill()
    }
    await this.gone()
  }

  /**
   * The first worker opens its logs and does all that can fail before the others, so that what is wrong is
   * reported once in the error log, and what modules keep for others is available before they ask.
   */
  #openLogs(): void {
    const [first, ...others] = this.workers
    first?.openLogs(true)
    void first?.loaded.then((end) => {
      if (end === null) for (const worker of others) worker.openLogs()
    })
  }

  #listen(): Promise<StartFailure | null> {
    for (const worker of this.workers) worker.listen()
    return this.#all((worker) => worker.serving)
  }

  /** Null when every worker has reached the stage, or the lines of the first that ended before. */
  #all(stage: (worker: WorkerProcess) => Promise<ProcessEnd | null>): Promise<StartFailure | null> {
    return new Promise((resolve) => {
      let missing = this.workers.length
      for (const worker of this.workers) {
        void stage(worker).then((end) => {
          if (end !== null) resolve(worker.failureLines(end, this.addresses))
          else if (--missing === 0) resolve(null)
        })
      }
    })
  }
}

function killIfLate(worker: WorkerProcess): void {
  const timer = setTimeout(() => worker.kill(), STOP_PATIENCE)
  void worker.end.then(() => clearTimeout(timer))
}
