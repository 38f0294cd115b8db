import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createNetServer, type Server as NetServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnyModule } from '@gatewright/api'
import { formatErrorLine, LEVELS } from '@gatewright/log'
import { FileSource, TextSource } from '../base/source.ts'
import type { NameSettings } from '../services/names/index.ts'
import type { SharedState } from '../services/shared-state.ts'
import type { LoopClock } from '../work/turn-queue.ts'
import type { BoundConfiguration } from './bound-configuration.ts'
import type { WorkerServer } from './contract.ts'
import { type InjectedResponse, type InjectOptions, inject } from './inject.ts'
import { loadConfiguration } from './load.ts'
import { createRuntime, type ServerRuntime } from './runtime.ts'

export interface ServerOptions {
  /** The configuration's text, one character per byte. */
  readonly config: string
  /** Modules other than core's own; they need no LoadModule line. */
  readonly modules?: readonly AnyModule[]
  /** Folder of relative paths; if absent, a temporary one that is removed at the end. */
  readonly serverRoot?: string
  /** -D words. */
  readonly defines?: readonly string[]
  /** Name servers and hosts file to use instead of the system's. */
  readonly names?: NameSettings
  /** The clock and the turns of long computations, instead of those of the event loop. */
  readonly loopClock?: LoopClock
  /** What it shares with other servers, as workers share it. */
  readonly shared?: SharedState
}

/** A server in this process. */
export interface TestServer {
  readonly configuration: BoundConfiguration
  /** What serves it. */
  readonly worker: WorkerServer
  readonly serverRoot: string
  /**
   * Serves on an ephemeral port of 127.0.0.1.
   * @returns the port
   */
  listen(address?: string): Promise<number>
  /** Runs one request without a socket. */
  inject(request: InjectOptions | string): Promise<InjectedResponse>
  /** Lines of the error log so far. */
  errors(): readonly string[]
  close(): Promise<void>
}

/**
 * Serves a configuration in this process, on an ephemeral port or without a socket.
 * @throws ConfigError if the configuration is invalid
 */
export async function createServer(options: ServerOptions): Promise<TestServer> {
  const ownRoot = options.serverRoot === undefined
  const serverRoot = options.serverRoot ?? mkdtempSync(join(tmpdir(), 'gatewright-'))
  const lines: string[] = []
  const { configuration, runtime } = await ready(options, serverRoot, lines).catch((error: unknown) => {
    if (ownRoot) rmSync(serverRoot, { recursive: true, force: true })
    throw error
  })
  const worker = runtime.serve()
  const endTasks = runtime.startTasks()
  const listeners: NetServer[] = []
  return {
    configuration,
    worker,
    serverRoot,
    listen: (address = '127.0.0.1') => listen(worker, listeners, address),
    inject: (request) => inject(worker, typeof request === 'string' ? { target: request } : request),
    errors: () => lines,
    close: async () => {
      for (const listener of listeners) listener.close()
      endTasks()
      await worker.close()
      if (ownRoot) rmSync(serverRoot, { recursive: true, force: true })
    },
  }
}

interface Ready {
  readonly configuration: BoundConfiguration
  readonly runtime: ServerRuntime
}

/** A configuration that is ready to serve; lines of its error log are added to `lines`. */
async function ready(options: ServerOptions, serverRoot: string, lines: string[]): Promise<Ready> {
  const configFile = join(serverRoot, 'conf/httpd.conf')
  const configuration = await loadConfiguration({
    program: 'httpd',
    serverRoot,
    configFile,
    defines: options.defines ?? [],
    shared: options.shared,
    // A later ErrorLog of the configuration takes precedence; the lines are kept in memory in any case.
    before: ['ErrorLog /dev/null'],
    after: [],
    source: new TextSource(new Map([[configFile, options.config]]), new FileSource()),
    environment: process.env,
    report: (module, level, code, text) => {
      lines.push(
        formatErrorLine({
          time: Date.now(),
          module,
          level: LEVELS[level],
          pid: process.pid,
          tid: process.pid,
          code,
          message: text,
          startup: module === '',
        }).trimEnd(),
      )
    },
    builtIn: options.modules ?? [],
    skipDocumentRootCheck: false,
    checkOnly: false,
    names: options.names ?? {},
    loopClock: options.loopClock,
  })
  const runtime = createRuntime(configuration)
  runtime.onErrorLogLine((_record, line) => void lines.push(line.trimEnd()))
  await runtime.openLogs()
  await runtime.postConfig()
  await runtime.initialize()
  return { configuration, runtime }
}

function listen(worker: WorkerServer, listeners: NetServer[], address: string): Promise<number> {
  const server = createNetServer({ allowHalfOpen: true, noDelay: true }, (socket) => worker.accept(socket, null))
  listeners.push(server)
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, address, () => {
      const bound = server.address()
      resolve(typeof bound === 'object' && bound !== null ? bound.port : 0)
    })
  })
}
