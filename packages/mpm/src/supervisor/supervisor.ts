import type { ReadResult } from '../roles/messages.ts'
import { roleSpawn } from '../roles/role-spawn.ts'
import { bindFailureLines } from '../sockets/bind-messages.ts'
import { listenAddresses } from '../sockets/listen-address.ts'
import { ListenSockets } from '../sockets/listen-sockets.ts'
import { isShown, isStartupMessage, reportLine } from '../start/config-report.ts'
import { ownerOf } from '../start/credentials.ts'
import { Crew } from './crew.ts'
import { descriptorLimit, logDescriptorLimit } from './descriptor-limit.ts'
import type { Generation, GoodRead, StartFailure } from './generation.ts'
import { gracefulStopLimit } from './limits.ts'
import { logReload, logRoot, logServing, logStop, type Reload, type Stop } from './notices.ts'
import { damagedPidFileLines, readPidFile, removePidFile, runningServer, writePidFile } from './pid-file.ts'
import { type Reading, readInChild } from './read-in-child.ts'
import { StateFile } from './state-file.ts'
import type { SupervisorContext } from './supervisor-context.ts'
import type { SupervisorLog } from './supervisor-log.ts'
import { systemReason } from './system-reason.ts'

/** Messages of the start that httpd's error log begins with, though they were printed already. */
const TOLD_TWICE: ReadonlySet<string> = new Set(['AH00557', 'AH00558'])

/**
 * The parent of a server: binds its sockets, starts and replaces its workers, has new configurations read by a child, and answers signals. It runs no
 * code of modules, never reads the configuration, and never listens.
 */
export class Supervisor {
  readonly #context: SupervisorContext
  readonly #over = Promise.withResolvers<number>()
  #sockets: ListenSockets | null = null
  #crew: Crew | null = null
  #reading: Reading | null = null
  #pidFile: string | null = null
  #state: StateFile | null = null
  #stopping: Stop | null = null
  #reloading = false
  #reloadAgain: Reload | null = null

  constructor(context: SupervisorContext) {
    this.#context = context
  }

  /** Starts the server. @returns its exit status, when it is over */
  async run(): Promise<number> {
    const status = await this.#start()
    // Otherwise the stop that came meanwhile finishes.
    if (status !== null && this.#stopping === null) this.#finish(status)
    return this.#over.promise
  }

  /** Stops the server: gracefully for SIGWINCH, else at once, which also ends a graceful stop that is under way. */
  stop(how: Stop): void {
    if (this.#stopping !== null && (this.#stopping !== 'SIGWINCH' || how === 'SIGWINCH')) return
    this.#stopping = how
    this.#reading?.cancel()
    void this.#stop(how)
  }

  /** Loads the configuration again. While the server starts, or a reload is under way, one more is remembered. */
  reload(how: Reload): void {
    if (this.#stopping !== null) return
    const crew = this.#crew
    const old = crew?.current
    if (this.#reloading || crew === null || old === null || old === undefined) {
      // One reload answers all who ask meanwhile, also those who want connections to be ended.
      if (this.#reloadAgain !== 'SIGHUP') this.#reloadAgain = how
      return
    }
    this.#reloading = true
    this.#state?.begin()
    this.#context.manager.reloading()
    void this.#reload(how, crew, old).then((failure) => {
      this.#reloading = false
      if (this.#stopping !== null) return
      if (failure !== null) {
        crew.refused()
        this.#tellRefusal(old, failure)
      }
      this.#state?.end(failure)
      this.#tellManager(crew.current ?? old, failure)
      this.#reloadOnceMore()
    })
  }

  /** Tells about an error of the supervisor itself, which is about to end because of it. */
  lament(error: Error): void {
    const text = `the supervisor ends after an error that nothing caught: ${error.stack ?? error.message}`
    const log = this.#crew?.current?.log
    if (log === undefined) this.#context.console.err(text)
    else log.write('core', 'crit', '', text)
    log?.close()
  }

  /** @returns null, or the exit status of a start that came to nothing */
  async #start(): Promise<number | null> {
    const { console, task } = this.#context
    const read = await this.#read((line) => console.err(line))
    if (this.#stopping !== null) return 0
    for (const report of read.reports) if (isShown(report, task.startupLevel)) console.err(reportLine(report).trimEnd())
    if (!read.good) return this.#refuse(read.lines)

    const pidFile = readPidFile(read.plan.pidFile)
    if (pidFile.kind === 'damaged') return this.#refuse(damagedPidFileLines(read.plan.pidFile, pidFile.cause))
    const running = runningServer(read.plan.pidFile, pidFile)
    if (running !== undefined) {
      console.out(`httpd (pid ${running}) already running`)
      return 0
    }

    const addresses = listenAddresses(read.plan.listeners)
    const slots = this.#slotsOf(read)
    const sockets = new ListenSockets(this.#context.activated)
    this.#sockets = sockets
    const failures = sockets.open(addresses, slots)
    if (failures.length > 0 || addresses.length === 0) return this.#refuse(bindFailureLines(failures))
    const crew = new Crew(this.#context, sockets)
    this.#crew = crew
    return this.#startFirst(crew, crew.create(read, slots))
  }

  #slotsOf({ plan }: GoodRead): number {
    return this.#context.task.onlyOneWorker ? 1 : Math.max(1, plan.workers)
  }

  async #startFirst(crew: Crew, generation: Generation): Promise<number | null> {
    const { log, read } = generation
    for (const report of read.reports) if (TOLD_TWICE.has(report.code)) log.writeLine(reportLine(report).trimEnd())
    const failure = await generation.start(() => {
      const trouble = this.#takePidFile(read.plan.pidFile, log)
      if (trouble === null) {
        logServing(log, read.product, this.#context.task)
        logRoot(log, ownerOf(read.plan))
        logDescriptorLimit(log, descriptorLimit(), read.plan.maxRequestWorkers)
      }
      return trouble
    })
    if (this.#stopping !== null) return 0
    if (failure !== null) {
      this.#dropPidFile()
      return this.#refuse(failure)
    }
    crew.takeOver(generation)
    this.#context.onServing()
    this.#tellManager(generation)
    this.#reloadOnceMore()
    return null
  }

  #reloadOnceMore(): void {
    const again = this.#reloadAgain
    this.#reloadAgain = null
    if (again !== null) this.reload(again)
  }

  #tellManager(generation: Generation, refused: StartFailure | null = null): void {
    const status = `configuration ${generation.number} serves with ${generation.slots} ${generation.slots === 1 ? 'worker' : 'workers'}`
    this.#context.manager.ready(refused === null ? status : `${status}; a new one was refused: ${refused[0]}`)
  }

  #refuse(lines: readonly string[]): number {
    for (const line of lines) this.#context.console.err(line)
    return 1
  }

  /** @returns null when the new configuration serves, or when the server stops; else why it cannot be used */
  async #reload(how: Reload, crew: Crew, old: Generation): Promise<StartFailure | null> {
    logReload(old.log, how)
    if (how === 'SIGUSR1') await crew.room()
    if (this.#stopping !== null) return null
    const read = await this.#read((line) => old.log.writeLine(line))
    if (this.#stopping !== null) return null
    for (const report of read.reports) {
      if (isStartupMessage(report)) old.log.writeLine(reportLine(report).trimEnd())
      else old.log.write(report.module, report.level, report.code, report.text)
    }
    return read.good ? this.#replaceGeneration(how, crew, read) : read.lines
  }

  #tellRefusal({ log }: Generation, lines: readonly string[]): void {
    for (const line of lines) log.writeLine(line)
    log.write('mpm_event', 'error', '', 'the new configuration cannot be used; the server goes on with the one it has')
  }

  async #replaceGeneration(how: Reload, crew: Crew, read: GoodRead): Promise<StartFailure | null> {
    const addresses = listenAddresses(read.plan.listeners)
    const slots = this.#slotsOf(read)
    const failures = this.#sockets?.open(addresses, slots) ?? []
    if (failures.length > 0 || addresses.length === 0) return bindFailureLines(failures)
    const next = crew.create(read, slots)
    const failure = await next.start(() => {
      logServing(next.log, read.product, this.#context.task)
      return null
    })
    if (this.#stopping !== null) return null
    if (failure === null) crew.takeOver(next, how === 'SIGHUP' ? 0 : undefined)
    else crew.dismiss(next)
    return failure
  }

  async #stop(how: Stop): Promise<void> {
    this.#context.manager.stopping()
    const graceful = how === 'SIGWINCH'
    if (graceful) this.#announceStop(how)
    const left = this.#crew?.leave((generation) => (graceful ? gracefulStopLimit(generation.plan) : 0))
    this.#sockets?.closeAll()
    await left
    // It was told to end at once meanwhile: that call finishes.
    if (this.#stopping !== how) return
    if (!graceful) this.#announceStop(how)
    this.#finish(0)
  }

  #announceStop(how: Stop): void {
    const log = this.#crew?.current?.log
    const pidFile = this.#dropPidFile()
    if (log !== undefined) logStop(log, how, pidFile)
  }

  #finish(status: number): void {
    this.#sockets?.closeAll()
    void Promise.resolve(this.#crew?.close()).then(() => this.#over.resolve(status))
  }

  /** @param tell given each line that the reader prints as an error */
  async #read(tell: (line: string) => void): Promise<ReadResult> {
    const { program, task, limits, streams } = this.#context
    const call = roleSpawn('reader', program, { stdout: streams.stdout, stderr: 'pipe' }, [], process.env)
    this.#reading = readInChild({ call, start: task.start, limits, tell })
    const result = await this.#reading.result
    this.#reading = null
    return result
  }

  /** @returns null, or why the number could not be written */
  #takePidFile(path: string, log: SupervisorLog): StartFailure | null {
    if (readPidFile(path).kind !== 'absent') {
      log.write('core', 'warn', 'AH00098', `pid file ${path} overwritten -- Unclean shutdown of previous Apache run?`)
    }
    try {
      // A command that finds the number finds the state, too, and not that of a former server with this number.
      this.#state = new StateFile(path, process.pid)
      writePidFile(path, process.pid)
      this.#pidFile = path
      return null
    } catch (error) {
      this.#state?.remove()
      return [
        `${systemReason(error)}AH00099: could not create ${path}`,
        `AH00100: ${this.#context.task.start.program}: could not log pid to file ${path}`,
      ]
    }
  }

  /** @returns the file that was removed, null when it was none of ours */
  #dropPidFile(): string | null {
    const path = this.#pidFile
    this.#pidFile = null
    const isRemoved = path !== null && removePidFile(path, process.pid)
    // Another server may have taken both over.
    if (isRemoved) this.#state?.remove()
    return isRemoved ? path : null
  }
}
