import type { ReadResult, ServerSums } from '../roles/messages.ts'
import { roleSpawn } from '../roles/role-spawn.ts'
import { bindFailureLines } from '../sockets/bind-messages.ts'
import { listenAddresses } from '../sockets/listen-address.ts'
import { ListenSockets } from '../sockets/listen-sockets.ts'
import { isShown, isStartupMessage, reportLine } from '../start/config-report.ts'
import { ownerOf } from '../start/credentials.ts'
import { CommandSocket, commandSocketPath } from './command-socket.ts'
import { descriptorLimit, logDescriptorLimit } from './descriptor-limit.ts'
import { isInFirstLog } from './first-log.ts'
import type { Generation, GoodRead, StartFailure } from './generation.ts'
import { handOver, type Successor } from './hand-over.ts'
import { drainLimit, gracefulStopLimit } from './limits.ts'
import {
  logReload,
  logRenewal,
  logRoot,
  logServing,
  logStop,
  logTakenOver,
  logUpgrade,
  type Reload,
  type Stop,
  type Upgrade,
} from './notices.ts'
import { damagedPidFileLines, readPidFile, removePidFile, runningServer, writePidFile } from './pid-file.ts'
import { type Reading, readInChild } from './read-in-child.ts'
import { StateFile } from './state-file.ts'
import type { SupervisorContext } from './supervisor-context.ts'
import type { SupervisorLog } from './supervisor-log.ts'
import { systemReason } from './system-reason.ts'
import { Workers } from './workers.ts'

/**
 * The parent of a server: binds its sockets, starts and replaces its workers, delegates reading new
 * configurations to a child, and handles signals. It does not run code of modules, never reads the
 * configuration, and never listens.
 */
export class Supervisor {
  readonly #context: SupervisorContext
  readonly #over = Promise.withResolvers<number>()
  #sockets: ListenSockets | null = null
  #workers: Workers | null = null
  #reading: Reading | null = null
  #pidFile: string | null = null
  #state: StateFile | null = null
  #commands: CommandSocket | null = null
  #stopping: Stop | null = null
  #reloading = false
  #reloadAgain: Reload | Upgrade | null = null
  #renewAgain = false
  #successor: Successor | null = null

  constructor(context: SupervisorContext) {
    this.#context = context
  }

  /** Starts the server. @returns its exit status when it has ended */
  async run(): Promise<number> {
    const status = await this.#start()
    // Otherwise the stop that has begun in the meantime finishes.
    if (status !== null && this.#stopping === null) this.#finish(status)
    return this.#over.promise
  }

  /**
   * Stops the server: gracefully for SIGWINCH, otherwise immediately, which also cuts short a graceful stop
   * in progress.
   */
  stop(how: Stop): void {
    if (this.#stopping !== null && (this.#stopping !== 'SIGWINCH' || how === 'SIGWINCH')) return
    this.#stopping = how
    this.#reading?.cancel()
    void this.#stop(how)
  }

  /**
   * Reloads the configuration, or lets the installed program take over the server. While the server starts or
   * a reload is in progress, one more request is remembered.
   */
  reload(how: Reload | Upgrade): void {
    if (this.#stopping !== null) return
    const workers = this.#workers
    const old = workers?.current
    if (this.#reloading || workers === null || old === null || old === undefined) {
      // One reload serves all requests that arrive in the meantime, including those for closing connections.
      if (this.#reloadAgain !== 'SIGUSR2' && (this.#reloadAgain !== 'SIGHUP' || how === 'SIGUSR2')) this.#reloadAgain = how
      return
    }
    this.#begin(how, workers, old, how === 'SIGUSR2' ? this.#upgrade(workers, old) : this.#reload(how, workers, old))
  }

  /** @param done what is being done, with the reason for which it failed or null */
  #begin(how: Reload | Upgrade, workers: Workers, old: Generation, done: Promise<StartFailure | null>): void {
    this.#reloading = true
    this.#state?.begin()
    this.#context.manager.reloading()
    void done.then((failure) => {
      this.#reloading = false
      if (this.#stopping !== null) return
      if (failure !== null) {
        workers.refused()
        logRefusal(old.log, how, failure)
        this.#keepPidFile()
      }
      this.#state?.end(failure)
      this.#notifyManager(workers.current ?? old, failure)
      this.#reloadOnceMore()
    })
  }

  /**
   * Replaces the workers by others with the configuration that they have, as a module asks for. A reload that is in
   * progress may have passed the module already, so the workers are replaced afterwards.
   */
  renew(): void {
    const workers = this.#workers
    const old = workers?.current
    if (this.#stopping !== null) return
    if (this.#reloading || workers === null || old === null || old === undefined) {
      this.#renewAgain = true
      return
    }
    logRenewal(old.log)
    this.#begin('SIGUSR1', workers, old, this.#replaceGeneration('SIGUSR1', workers, old.read))
  }

  /** The former supervisor has counted more, while its workers complete their requests. */
  continueFrom(sums: ServerSums): void {
    this.#workers?.continueFrom(sums)
  }

  /** Logs an error of the supervisor itself, which ends because of it. */
  logFatal(error: Error): void {
    const text = `the supervisor ends after an uncaught error: ${error.stack ?? error.message}`
    const log = this.#workers?.current?.log
    if (log === undefined) this.#context.console.err(text)
    else log.write('core', 'crit', '', text)
    log?.close()
  }

  /** @returns null, or the exit status of a failed start */
  async #start(): Promise<number | null> {
    const { console, task } = this.#context
    const read = await this.#read((line) => console.err(line))
    if (this.#stopping !== null) return 0
    for (const report of read.reports) if (isShown(report, task.startupLevel)) console.err(reportLine(report).trimEnd())
    if (!read.good) return this.#refuse(read.lines)
    for (const hint of read.hints) console.err(`hint: ${hint}`)

    const pidFile = readPidFile(read.plan.pidFile)
    if (pidFile.kind === 'damaged') return this.#refuse(damagedPidFileLines(read.plan.pidFile, pidFile.cause))
    const running = runningServer(read.plan.pidFile, pidFile)
    const { inheritance } = this.#context
    if (running !== undefined && inheritance === null) {
      console.out(`httpd (pid ${running}) already running`)
      return 0
    }

    const addresses = listenAddresses(read.plan.listeners)
    const slots = this.#slotsOf(read)
    const sockets = inheritance?.sockets ?? new ListenSockets(this.#context.activated)
    this.#sockets = sockets
    const failures = sockets.open(addresses, slots)
    if (failures.length > 0 || addresses.length === 0) return this.#refuse(bindFailureLines(failures))
    const workers = new Workers(this.#context, sockets, () => this.renew())
    this.#workers = workers
    return this.#startFirst(workers, workers.create(read, slots))
  }

  #slotsOf({ plan }: GoodRead): number {
    return this.#context.task.onlyOneWorker ? 1 : Math.max(1, plan.workers)
  }

  async #startFirst(workers: Workers, generation: Generation): Promise<number | null> {
    const { log, read } = generation
    for (const report of read.reports) {
      if (isInFirstLog(report, this.#context)) log.repeatLine(reportLine(report).trimEnd())
    }
    const failure = await generation.start(() => {
      const trouble = this.#takePidFile(read.plan.pidFile, log)
      if (trouble === null) {
        logServing(log, read.product, this.#context.task)
        for (const hint of read.hints) log.write('core', 'warn', '', hint)
        logRoot(log, ownerOf(read.plan))
        logDescriptorLimit(log, descriptorLimit(), read.plan.maxRequestWorkers)
      }
      return trouble
    })
    if (this.#stopping !== null) return 0
    if (failure !== null) {
      // A supervisor that continues after all writes its own number again.
      if (this.#context.inheritance === null) this.#dropPidFile()
      return this.#refuse(failure)
    }
    workers.takeOver(generation)
    this.#listenForCommands(generation)
    if (this.#context.inheritance !== null) {
      this.#sockets?.keepOnly(generation.addresses, generation.sockets)
      this.#state?.end(null)
    }
    this.#context.onServing()
    this.#notifyManager(generation)
    this.#reloadOnceMore()
    return null
  }

  #reloadOnceMore(): void {
    const again = this.#reloadAgain
    const renewAgain = this.#renewAgain
    this.#reloadAgain = null
    this.#renewAgain = false
    if (again !== null) this.reload(again)
    else if (renewAgain) this.renew()
  }

  #notifyManager(generation: Generation, refused: StartFailure | null = null): void {
    const status = `configuration ${generation.number} serves with ${generation.slots} ${generation.slots === 1 ? 'worker' : 'workers'}`
    this.#context.manager.ready(refused === null ? status : `${status}; a new one was rejected: ${refused[0]}`)
  }

  #refuse(lines: readonly string[]): number {
    for (const line of lines) this.#context.console.err(line)
    return 1
  }

  /** @returns null when the new configuration serves, or when the server stops; else why it cannot be used */
  async #reload(how: Reload, workers: Workers, old: Generation): Promise<StartFailure | null> {
    logReload(old.log, how)
    if (how === 'SIGUSR1') await workers.waitForDrain()
    if (this.#stopping !== null) return null
    const read = await this.#read((line) => old.log.writeLine(line))
    if (this.#stopping !== null) return null
    for (const report of read.reports) {
      if (isStartupMessage(report)) old.log.writeLine(reportLine(report).trimEnd())
      else old.log.write(report.module, report.level, report.code, report.text)
    }
    if (!read.good) return read.lines
    for (const hint of read.hints) old.log.write('core', 'warn', '', hint)
    return this.#replaceGeneration(how, workers, read)
  }

  /** @returns null when a successor serves, or when the server stops; else why there is none */
  async #upgrade(workers: Workers, old: Generation): Promise<StartFailure | null> {
    logUpgrade(old.log)
    if (!this.#context.isReplaceable || this.#sockets === null) return NOT_REPLACEABLE
    const { secretKey, rotatingKeys } = workers
    const result = await handOver(this.#context, this.#sockets.legacy(), { secretKey, rotatingKeys, sums: workers.sums() })
    if ('failure' in result) return result.failure
    const { successor } = result
    this.#successor = successor
    successor.report(workers.sums())
    // A stop that was requested in the meantime applies to both.
    if (this.#stopping !== null) {
      process.kill(successor.pid, this.#stopping)
      // The stop may be complete already.
      void successor.leave(workers.sums())
    } else void this.#leaveTo(successor, workers, old)
    return null
  }

  /** Ends as in a graceful stop, which another stop can shorten; the server itself continues. */
  async #leaveTo({ pid }: Successor, workers: Workers, { log }: Generation): Promise<void> {
    this.#stopping = 'SIGWINCH'
    logTakenOver(log, pid)
    if (this.#reloadAgain !== null) process.kill(pid, this.#reloadAgain)
    // Unless it belongs to the successor now.
    this.#dropPidFile()
    const left = workers.leave(({ plan }) => drainLimit(plan))
    this.#sockets?.closeAll()
    await left
    if (this.#stopping === 'SIGWINCH') this.#finish(0)
  }

  async #replaceGeneration(how: Reload, workers: Workers, read: GoodRead): Promise<StartFailure | null> {
    const addresses = listenAddresses(read.plan.listeners)
    const slots = this.#slotsOf(read)
    const failures = this.#sockets?.open(addresses, slots) ?? []
    if (failures.length > 0 || addresses.length === 0) return bindFailureLines(failures)
    const next = workers.create(read, slots)
    const failure = await next.start(() => {
      logServing(next.log, read.product, this.#context.task)
      return null
    })
    if (this.#stopping !== null) return null
    if (failure === null) {
      workers.takeOver(next, how === 'SIGHUP' ? 0 : undefined)
      this.#listenForCommands(next)
    } else workers.dismiss(next)
    return failure
  }

  async #stop(how: Stop): Promise<void> {
    if (this.#successor === null) this.#context.manager.stopping()
    const graceful = how === 'SIGWINCH'
    if (graceful) this.#announceStop(how)
    const left = this.#workers?.leave((generation) => (graceful ? gracefulStopLimit(generation.plan) : 0))
    this.#sockets?.closeAll()
    await left
    // A request to stop immediately arrived in the meantime: that call finishes.
    if (this.#stopping !== how) return
    if (!graceful) this.#announceStop(how)
    this.#finish(0)
  }

  #announceStop(how: Stop): void {
    const log = this.#workers?.current?.log
    const pidFile = this.#dropPidFile()
    if (log !== undefined) logStop(log, how, pidFile)
  }

  #finish(status: number): void {
    this.#sockets?.closeAll()
    void this.#closeWorkers()
      .then(() => this.#context.manager.notified())
      .then(() => this.#over.resolve(status))
  }

  async #closeWorkers(): Promise<void> {
    const workers = this.#workers
    if (workers === null) return
    await workers.close()
    await this.#successor?.leave(workers.sums())
  }

  /** @param onErrorLine receives each line that the reader prints to standard error */
  async #read(onErrorLine: (line: string) => void): Promise<ReadResult> {
    const { program, task, limits, streams } = this.#context
    const call = roleSpawn('reader', program, { stdout: streams.stdout, stderr: 'pipe' }, [], process.env)
    this.#reading = readInChild({ call, start: task.start, limits, onErrorLine })
    const result = await this.#reading.result
    this.#reading = null
    return result
  }

  /** @returns null, or why the number could not be written */
  #takePidFile(path: string, log: SupervisorLog): StartFailure | null {
    const { inheritance, isReplaceable } = this.#context
    if (inheritance === null && readPidFile(path).kind !== 'absent') {
      log.write('core', 'warn', 'AH00098', `pid file ${path} overwritten -- Unclean shutdown of previous Apache run?`)
    }
    try {
      // A command that finds the number must find the matching state, not that of a former server with this
      // number.
      this.#state = new StateFile(path, process.pid, { replaceable: isReplaceable, begun: inheritance === null ? 0 : 1 })
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

  /** Only for modules that have commands: a server without them can be reached in no other way than before. */
  #listenForCommands({ plan, log }: Generation): void {
    const isWanted = plan.takesCommands && this.#pidFile !== null
    if (isWanted === (this.#commands !== null)) return
    if (!isWanted || this.#pidFile === null) {
      this.#commands?.close(true)
      this.#commands = null
      return
    }
    const path = commandSocketPath(this.#pidFile)
    this.#commands = new CommandSocket(
      path,
      async ({ words, isOfFormer }) => (await this.#workers?.command(words, isOfFormer)) ?? [],
    )
    this.#commands.open((cause) => {
      log.write('mpm_event', 'warn', '', `commands of operators cannot be received on ${path}: ${cause.message}`)
    })
  }

  /** A successor that failed may have written its number. */
  #keepPidFile(): void {
    const path = this.#pidFile
    if (path === null) return
    const content = readPidFile(path)
    if (content.kind === 'pid' && content.pid === process.pid) return
    try {
      writePidFile(path, process.pid)
    } catch {
      // On a full disk, commands do not find the number; the server continues.
    }
  }

  /** @returns the file that was removed, or null if it belonged to another server */
  #dropPidFile(): string | null {
    const path = this.#pidFile
    this.#pidFile = null
    const isRemoved = path !== null && removePidFile(path, process.pid)
    // Another server may have taken over both.
    if (isRemoved) this.#state?.remove()
    this.#commands?.close(isRemoved)
    this.#commands = null
    return isRemoved ? path : null
  }
}

const NOT_REPLACEABLE: StartFailure = [
  'the server runs in the foreground, and its parent would see the hand-over as an exit',
  'hint: stop the server and start it again; in the background (httpd -k start) or under systemd, the installed program can take over',
]

function logRefusal(log: SupervisorLog, how: Reload | Upgrade, lines: StartFailure): void {
  for (const line of lines) log.writeLine(line)
  const text =
    how === 'SIGUSR2'
      ? 'the installed program cannot take over; the server continues to run unchanged'
      : 'the new configuration cannot be used; the server keeps its current configuration'
  log.write('mpm_event', 'error', '', text)
}
