import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { acceptsConnections } from '../../accepts-connections.ts'

/** What Node prints about its debugger; httpd prints where it is in a line of its own. */
const NODE_DEBUGGER = /^(?:Debugger listening on |For help, see: |Debugger attached|Waiting for the debugger)/
/** Milliseconds between attempts to reach a server that starts. */
const RETRY = 50

/** What a development server is started with. */
export interface ServerSettings {
  /** The folder of the installed programs. */
  readonly programs: string
  readonly configuration: string
  readonly port: number
  /** Port of the debugger; 0 for any free one. */
  readonly debuggerPort: number
  /** Receives each line of the access log. */
  readonly served: (line: string) => void
  /** Receives each line of the error log, and other messages. */
  readonly reported: (line: string) => void
}

/** A server with one worker and a debugger, in a process of its own. */
export class DevelopmentServer {
  readonly #settings: ServerSettings
  #process: ChildProcess | null = null

  constructor(settings: ServerSettings) {
    this.#settings = settings
  }

  get runs(): boolean {
    return this.#process !== null
  }

  /**
   * Starts the server, or lets a running one read its configuration and modules again. A running server keeps what it has
   * if it refuses the new text.
   * @returns whether it serves the new text; the reason of a refusal is printed
   */
  async update(): Promise<boolean> {
    if (this.#process === null && !(await this.#isAccepted())) return false
    if (this.#process === null) return await this.#start()
    return await this.#run(['-k', 'graceful'])
  }

  /** Ends the server and waits until it has ended. */
  async close(): Promise<void> {
    const running = this.#process
    if (running === null) return
    const ended = once(running, 'exit')
    running.kill('SIGTERM')
    await ended
  }

  /** Checks the configuration first: the server would end after a mistake, and its debugger with it. */
  async #isAccepted(): Promise<boolean> {
    return await this.#run(['-t'])
  }

  /** @returns when the server accepts connections, true; false if it ended before */
  async #start(): Promise<boolean> {
    const { debuggerPort, served, reported, port } = this.#settings
    const started = spawn(this.#program, [...this.#words, '-X', `--inspect=${debuggerPort}`], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#process = started
    const ended = (): void => {
      this.#process = null
    }
    started.once('exit', ended).once('error', ended)
    createInterface({ input: started.stdout }).on('line', served)
    createInterface({ input: started.stderr }).on('line', (line) => {
      if (!NODE_DEBUGGER.test(line)) reported(line)
    })
    while (this.#process !== null) {
      if (await acceptsConnections({ host: '127.0.0.1', port })) return true
      await pause(RETRY)
    }
    return false
  }

  /** Runs httpd with the same configuration; prints its messages only if it fails. */
  async #run(words: readonly string[]): Promise<boolean> {
    const child = spawn(this.#program, [...this.#words, ...words], { stdio: ['ignore', 'ignore', 'pipe'] })
    const lines: string[] = []
    createInterface({ input: child.stderr }).on('line', (line) => lines.push(line))
    const [status] = await once(child, 'close')
    if (status !== 0) for (const line of lines) this.#settings.reported(line)
    return status === 0
  }

  get #program(): string {
    return join(this.#settings.programs, 'httpd')
  }

  get #words(): string[] {
    return ['-f', this.#settings.configuration]
  }
}
