import { readdirSync } from 'node:fs'
import { childrenOf } from '../fixtures/processes.ts'
import { type Owner, StagedServer } from '../fixtures/staged-server.ts'
import { until } from '../fixtures/until.ts'
import { type Approaches, withoutTls } from './approach.ts'
import type { Mix } from './habits.ts'
import { LoadClient } from './load-client.ts'
import { LOGGED, prepareSite, SITE } from './loaded-site.ts'

export interface LoadOptions {
  readonly workers: number
  readonly mix: Mix
  /** How the clients reach the server; without TLS unless given. */
  readonly approaches?: (server: StagedServer) => Approaches
  /** Further lines of the configuration. */
  readonly lines?: readonly string[]
  /** The program to run; the staged one without it. */
  readonly program?: string
  /** Writes files that the configuration names. */
  readonly prepare?: (server: StagedServer) => void | Promise<void>
  /** Makes variables that other servers do not have. */
  readonly environment?: (server: StagedServer) => Readonly<Record<string, string>>
  /** Further arguments of the program. */
  readonly args?: readonly string[]
}

/** So many right answers show that the load runs as it will. */
const WARM = 200

/** A server with real processes and active clients. */
export class ServerUnderLoad {
  readonly server: StagedServer
  readonly load: LoadClient
  readonly #lines: readonly string[]
  #workers: number

  private constructor(server: StagedServer, workers: number, lines: readonly string[], approaches: Approaches) {
    this.server = server
    this.load = new LoadClient(approaches)
    this.#workers = workers
    this.#lines = lines
  }

  /** Starts the server, then the clients, and waits until they have been answered some hundred times. */
  static async start(owner: Owner, { mix, ...options }: LoadOptions): Promise<ServerUnderLoad> {
    const made = await ServerUnderLoad.serve(owner, options)
    made.load.start(mix)
    owner.teardown(async () => {
      await made.load.stop()
    })
    await made.load.answers(WARM)
    return made
  }

  /** Starts the server without clients. */
  static async serve(
    owner: Owner,
    { workers, approaches, lines = [], args = [], prepare, environment, program }: Omit<LoadOptions, 'mix'>,
  ): Promise<ServerUnderLoad> {
    const server = await StagedServer.make(owner, program)
    const made = new ServerUnderLoad(server, workers, lines, approaches?.(server) ?? withoutTls(server.port))
    await prepareSite(server)
    await prepare?.(server)
    made.configure()
    await server.startWith(environment?.(server) ?? {}, ...args)
    return made
  }

  /** Writes the configuration with these lines at its end. @returns the number of the first of them */
  configure(...lines: readonly string[]): number {
    const own = [`WorkerProcesses ${this.#workers}`, ...SITE, LOGGED, ...this.#lines]
    return this.server.configure(...own, ...lines) + own.length + 1
  }

  /** The number of workers that the next reload makes. */
  resize(workers: number): void {
    this.#workers = workers
    this.configure()
  }

  /** Process ids of the workers, while no reload is under way; the configuration must not have log programs, which are children, too. */
  workers(): number[] {
    return childrenOf(this.server.pid)
  }

  /** Has the configuration loaded again. Resolves with the workers that served before, when the new ones are about to. */
  async reload(signal: 'SIGUSR1' | 'SIGHUP'): Promise<number[]> {
    const old = this.workers()
    const generations = this.generations()
    this.server.signal(signal)
    await until('a new generation serves', () => this.generations() > generations)
    return old
  }

  /** The number of configurations that have served, according to the error logs, including renamed ones. */
  generations(): number {
    return this.linesOf('error_log').filter((line) => line.includes('AH00489')).length
  }

  /** All lines of a log, including renamed ones. */
  linesOf(log: string): string[] {
    return readdirSync(this.server.path('logs'))
      .filter((name) => name.startsWith(log))
      .flatMap((name) => this.server.read(`logs/${name}`).split('\n').slice(0, -1))
  }

  /** Ids of requests in the access log, renamed ones included, as often as they are there. Requests of others have none. */
  loggedIds(): number[] {
    return this.linesOf('access_log').flatMap((line) => {
      const id = /\?(\d+) HTTP/.exec(line)?.[1]
      return id === undefined ? [] : [Number(id)]
    })
  }
}
