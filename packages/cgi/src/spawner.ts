import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionPool, type UpstreamConnection, UpstreamError, unkeptConnections } from '@gatewright/upstream'
import type { EndRequest, ProgramSpec, SpawnReport, SpawnRequest } from './program-spec.ts'
import { spawnerProgram } from './spawner-program.ts'

/** How long the helper process may take to listen, ms. */
const START_LIMIT = 20_000
/** Characters of its messages that are kept for an error. */
const KEPT = 2000

/**
 * Runs the helper with its messages, and those of the programs, in a pipe: a program may open /dev/stderr, which it cannot
 * where that is a socket. `cat` passes them on to the standard error of this process.
 */
const WITH_PIPE = '"$@" 2>&1 >&3 3>&- | { exec 3>&-; exec cat >&2; }'

/** A program that was started. */
export interface StartedProgram {
  /** Its standard input, if the caller writes to it. */
  readonly input: UpstreamConnection | null
  /** Its standard output: another connection, because one that ends with unread input loses what was written to it. */
  readonly connection: UpstreamConnection
  /** Its standard error, if the caller reads it. */
  readonly errors: UpstreamConnection | null
  /** Settles when it runs, with the number of the system's error if it does not. */
  readonly running: Promise<number | null>
  /** Settles when it has ended. */
  readonly ended: Promise<void>
  /** Ends it, if it has not ended: see {@link EndRequest}. */
  end(how: EndRequest['how']): void
}

/** Starts programs by a helper process, which this process starts when it is first needed, or before. */
export class Spawner {
  readonly #helpers = new Set<Helper>()
  #current: Helper | null = null
  #closed = false

  /** Starts the helper process now. */
  prepare(): void {
    if (this.#current?.isOver === false || this.#closed) return
    const helper = new Helper(() => this.#helpers.delete(helper))
    this.#helpers.add(helper)
    this.#current = helper
  }

  /**
   * Starts a program.
   * @throws Error if the helper process does not run
   */
  async start(spec: ProgramSpec): Promise<StartedProgram> {
    if (this.#closed) throw new Error('this process ends')
    this.prepare()
    const helper = this.#current
    if (helper === null) throw new Error('this process ends')
    return helper.start(spec)
  }

  /** Programs that run are ended. */
  close(): void {
    this.#closed = true
    for (const helper of this.#helpers) helper.close()
  }
}

/** What is known of a program. */
interface Awaited {
  readonly running: PromiseWithResolvers<number | null>
  readonly ended: PromiseWithResolvers<void>
}

/** One helper process. */
class Helper {
  isOver = false
  readonly #folder: string
  readonly #child: ChildProcess
  /** Keeps this process alive while programs run. */
  readonly #reports: Socket
  readonly #connections: ConnectionPool
  readonly #ready = Promise.withResolvers<void>()
  readonly #programs = new Map<number, Awaited>()
  readonly #left: () => void
  #next = 1
  #line = ''
  #messages = ''

  constructor(left: () => void) {
    this.#left = left
    // Nobody else may enter it.
    this.#folder = mkdtempSync(join(tmpdir(), 'gatewright-cgi-'))
    const path = join(this.#folder, 'socket')
    const text = `(${spawnerProgram.toString()})(${JSON.stringify(path)})`
    const node = [process.execPath, '--max-semi-space-size=1', '-e', text]
    this.#child = spawn('/bin/sh', ['-c', WITH_PIPE, 'sh', ...node], { stdio: ['pipe', 'ignore', 'inherit', 'pipe'] })
    this.#child.on('error', (error) => this.#over(error.message))
    this.#child.on('exit', () => this.#over(''))
    this.#child.stdin?.on('error', () => undefined)
    const reports = this.#child.stdio[3]
    if (!(reports instanceof Socket)) throw new Error('the helper process has no pipe')
    this.#reports = reports
    reports.setEncoding('utf8').on('data', (part: string) => this.#read(part))
    reports.on('error', () => undefined)
    this.#child.unref()
    if (this.#child.stdin instanceof Socket) this.#child.stdin.unref()
    reports.unref()
    this.#connections = unkeptConnections({ path }, START_LIMIT)
    this.#ready.promise.catch(() => undefined)
  }

  async start(spec: ProgramSpec): Promise<StartedProgram> {
    await this.#untilReady()
    const id = this.#next++
    const program: Awaited = { running: Promise.withResolvers(), ended: Promise.withResolvers() }
    this.#programs.set(id, program)
    this.#reports.ref()
    try {
      const connection = await this.#connect({ id, spec })
      let isOver = false
      const errors = spec.errors === 'server' ? null : await this.#connect({ id, stream: 'errors' })
      const input = spec.hasInput ? await this.#connect({ id, stream: 'input' }) : null
      return {
        input,
        connection,
        errors,
        running: program.running.promise,
        ended: program.ended.promise,
        end: (how) => {
          if (isOver) return
          isOver = true
          this.#ask({ end: id, how })
        },
      }
    } catch (error) {
      this.#forget(id)
      throw error
    }
  }

  close(): void {
    this.#connections.drain()
    this.#child.stdin?.end()
  }

  async #untilReady(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`the helper process does not start: ${this.#messages}`)), START_LIMIT)
    })
    try {
      await Promise.race([this.#ready.promise, late])
    } finally {
      clearTimeout(timer)
    }
  }

  async #connect(request: SpawnRequest): Promise<UpstreamConnection> {
    const connection = await new Promise<UpstreamConnection | UpstreamError>((resolve) => {
      this.#connections.acquire({ onConnection: resolve, onError: resolve })
    })
    if (connection instanceof UpstreamError) throw connection
    const text = Buffer.from(JSON.stringify(request), 'utf8')
    const length = Buffer.alloc(4)
    length.writeUInt32BE(text.length)
    connection.write(Buffer.concat([length, text]))
    return connection
  }

  #forget(id: number): void {
    this.#programs.delete(id)
    if (this.#programs.size === 0) this.#reports.unref()
  }

  #ask(request: EndRequest): void {
    if (!this.isOver) this.#child.stdin?.write(`${JSON.stringify(request)}\n`)
  }

  #read(part: string): void {
    const lines = (this.#line + part).split('\n')
    this.#line = lines.pop() ?? ''
    for (const line of lines) {
      const report: SpawnReport = JSON.parse(line)
      if (report.kind === 'ready') {
        this.#ready.resolve()
        continue
      }
      const program = this.#programs.get(report.id)
      if (report.kind === 'started') program?.running.resolve(null)
      else {
        this.#forget(report.id)
        program?.running.resolve(report.kind === 'failed' ? report.errno : null)
        program?.ended.resolve()
      }
    }
  }

  #over(message: string): void {
    if (this.isOver) return
    this.isOver = true
    this.#messages = (this.#messages + message).slice(-KEPT)
    rmSync(this.#folder, { recursive: true, force: true })
    this.#ready.reject(new Error(`the helper process has ended: ${this.#messages}`))
    for (const program of this.#programs.values()) {
      program.running.resolve(null)
      program.ended.resolve()
    }
    this.#programs.clear()
    this.#left()
  }
}
