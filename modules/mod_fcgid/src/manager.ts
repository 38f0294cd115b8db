import { spawn } from 'node:child_process'
import { lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { LogLevelName } from '@gatewright/api'
import type { GlobalSettings } from './config.ts'
import type { ClassSpec, ManagerReport, ManagerRequest } from './manager-messages.ts'
import { managerProgram } from './manager-program.ts'
import { programsOf } from './orphans.ts'

/** How long the manager may take to listen, ms. */
const START_LIMIT = 20_000
/** How long the process that made the folder may take to start the manager, ms. */
const STARTER_LIMIT = 10_000
const PAUSE = 20

/** A process that is lent to a request. */
export interface Lease {
  /** Of its socket. */
  readonly path: string
  /** Whether it was ended because the request took longer than FcgidBusyTimeout. */
  wasTooLong: boolean
  /** Gives it back, once. */
  release(how: 'served' | 'connect error' | 'communication error'): void
}

/** What a connection to the manager needs of its owner. */
export interface ManagerEvents {
  log(level: LogLevelName, text: string): void
  figures(processes: number, busy: number): void
}

interface Asked {
  readonly settle: (lease: Lease | { readonly reason: string }) => void
  isGone: boolean
}

/** The manager of the processes of this server, which this process starts when it is needed and no other one has. */
export class ProcessManager {
  readonly #folder: string
  readonly #global: GlobalSettings
  readonly #events: ManagerEvents
  readonly #asked = new Map<number, Asked>()
  readonly #leases = new Map<number, Lease>()
  #link: Promise<Socket> | null = null
  #socket: Socket | null = null
  #next = 1
  #isClosed = false

  /** @param folder a path that only the processes of this configuration know */
  constructor(folder: string, global: GlobalSettings, events: ManagerEvents) {
    this.#folder = folder
    this.#global = global
    this.#events = events
  }

  /**
   * Asks for a process of a class.
   * @param whenGone calls back when the client has gone
   * @returns the reason why there is none, '' for the limits of the configuration; null if the client has gone
   */
  async lend(
    spec: ClassSpec,
    whenGone: (listener: () => void) => () => void,
  ): Promise<Lease | { readonly reason: string } | null> {
    let socket: Socket
    try {
      this.#link ??= this.#connect()
      socket = await this.#link
    } catch (error) {
      this.#link = null
      return { reason: error instanceof Error ? error.message : String(error) }
    }
    const id = this.#next++
    return new Promise((resolve) => {
      const asked: Asked = {
        isGone: false,
        settle: (answer) => {
          forget()
          this.#asked.delete(id)
          resolve(asked.isGone ? null : answer)
        },
      }
      const forget = whenGone(() => {
        asked.isGone = true
        this.#asked.delete(id)
        this.#send(socket, { kind: 'cancel', id })
        resolve(null)
      })
      this.#asked.set(id, asked)
      this.#send(socket, { kind: 'want', id, spec })
    })
  }

  close(): void {
    this.#isClosed = true
    this.#socket?.end()
    this.#fail('this process ends')
  }

  #send(socket: Socket, request: ManagerRequest): void {
    if (socket.writable) socket.write(`${JSON.stringify(request)}\n`)
  }

  async #connect(): Promise<Socket> {
    const end = performance.now() + START_LIMIT
    let emptySince = performance.now()
    while (!this.#isClosed) {
      if (this.#makeFolder()) {
        this.#start()
        emptySince = performance.now()
      }
      const found = await attempt(`${this.#folder}/control`)
      if (typeof found !== 'string') return this.#attach(found)
      const isLeft = found === 'ECONNREFUSED' || performance.now() - emptySince > STARTER_LIMIT
      if (isLeft) this.#removeFolder()
      if (performance.now() > end) throw new Error(`the process manager of mod_fcgid does not start (${found})`)
      await pause(PAUSE)
    }
    throw new Error('this process ends')
  }

  /** Whether this process is the one that starts the manager. */
  #makeFolder(): boolean {
    try {
      mkdirSync(this.#folder, { mode: 0o700 })
      return true
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error
      if (lstatSync(this.#folder, { throwIfNoEntry: false })?.uid === process.geteuid?.()) return false
      throw new Error(`${this.#folder} belongs to another user`)
    }
  }

  /** Of the processes that find the folder of a manager that was killed, one removes it. */
  #removeFolder(): void {
    const programs = programsOf(this.#folder)
    const aside = `${this.#folder}.${process.pid}`
    try {
      renameSync(this.#folder, aside)
    } catch {
      return
    }
    for (const pid of programs) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended.
      }
    }
    rmSync(aside, { recursive: true, force: true })
  }

  #start(): void {
    const text = `(${managerProgram.toString()})(${JSON.stringify(this.#folder)}, ${JSON.stringify(this.#global)})`
    const child = spawn(process.execPath, ['--max-semi-space-size=1', '-e', text], {
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    child.on('error', (error) => this.#events.log('error', `mod_fcgid: can't start the process manager: ${error.message}`))
    child.unref()
  }

  #attach(socket: Socket): Socket {
    let line = ''
    this.#socket = socket
    socket.setEncoding('utf8').on('data', (part: string) => {
      const lines = (line + part).split('\n')
      line = lines.pop() ?? ''
      for (const each of lines) this.#take(socket, JSON.parse(each))
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#link = null
      this.#socket = null
      this.#events.figures(0, 0)
      if (!this.#isClosed) this.#events.log('error', 'mod_fcgid: the process manager has ended: the next request starts it again')
      this.#fail('the process manager of mod_fcgid has ended')
    })
    socket.unref()
    this.#send(socket, { kind: 'settings', global: this.#global })
    return socket
  }

  #take(socket: Socket, report: ManagerReport): void {
    if (report.kind === 'log') this.#events.log(report.level, report.text)
    else if (report.kind === 'figures') this.#events.figures(report.processes, report.busy)
    else if (report.kind === 'none') this.#asked.get(report.id)?.settle({ reason: report.reason })
    else if (report.kind === 'busy') {
      const lease = this.#leases.get(report.process)
      if (lease !== undefined) lease.wasTooLong = true
    } else {
      const { process: number, path } = report
      const asked = this.#asked.get(report.id)
      const lease: Lease = {
        path,
        wasTooLong: false,
        release: (how) => {
          if (this.#leases.delete(number)) this.#send(socket, { kind: 'done', process: number, how })
        },
      }
      this.#leases.set(number, lease)
      if (asked === undefined || asked.isGone) lease.release('served')
      asked?.settle(lease)
    }
  }

  #fail(reason: string): void {
    this.#leases.clear()
    for (const asked of [...this.#asked.values()]) asked.settle({ reason })
  }
}

/** Connects; the code of the failure if that is not possible now. */
function attempt(path: string): Promise<Socket | string> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.removeAllListeners('error')
      resolve(socket)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })
}
