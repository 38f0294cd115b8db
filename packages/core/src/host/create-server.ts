import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createNetServer, type Server as NetServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnyModule } from '@gatewright/api'
import { MemoryTransport } from '@gatewright/http'
import { formatErrorLine, LEVELS } from '@gatewright/log'
import { FileSource, TextSource } from '../config/source.ts'
import type { WorkerServer } from './contract.ts'
import { loadConfiguration } from './load.ts'
import type { Snapshot } from './snapshot.ts'

export interface ServerOptions {
  /** The configuration's text. */
  readonly config: string
  /** Modules beside core's own; they need no LoadModule line. */
  readonly modules?: readonly AnyModule[]
  /** Folder of relative paths; one of its own that is removed at the end when absent. */
  readonly serverRoot?: string
  /** -D words. */
  readonly defines?: readonly string[]
}

export interface InjectOptions {
  readonly method?: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly remoteAddress?: string
  readonly localPort?: number
  readonly version?: string
}

/** The response to an injected request; all text is one byte per character. */
export interface InjectedResponse {
  readonly status: number
  readonly statusLine: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  /** First field of a name, without regard to case. */
  header(name: string): string | undefined
}

/** A server in this process. */
export interface TestServer {
  readonly snapshot: Snapshot
  readonly serverRoot: string
  /** Serves on an ephemeral port of 127.0.0.1; the port. */
  listen(address?: string): Promise<number>
  /** Runs one request without a socket. */
  inject(request: InjectOptions | string): Promise<InjectedResponse>
  /** Lines of the error log so far. */
  errors(): readonly string[]
  close(): Promise<void>
}

/**
 * Serves a configuration in this process: on an ephemeral port, or without any socket.
 * @throws ConfigError when the configuration is wrong
 */
export async function createServer(options: ServerOptions): Promise<TestServer> {
  const ownRoot = options.serverRoot === undefined
  const serverRoot = options.serverRoot ?? mkdtempSync(join(tmpdir(), 'gatewright-'))
  const lines: string[] = []
  const snapshot = await loadSnapshot(options, serverRoot, lines).catch((error: unknown) => {
    if (ownRoot) rmSync(serverRoot, { recursive: true, force: true })
    throw error
  })
  const worker = snapshot.serve()
  const listeners: NetServer[] = []
  return {
    snapshot,
    serverRoot,
    listen: (address = '127.0.0.1') => listen(worker, listeners, address),
    inject: (request) => inject(snapshot, typeof request === 'string' ? { target: request } : request),
    errors: () => lines,
    close: async () => {
      for (const listener of listeners) listener.close()
      await worker.close()
      if (ownRoot) rmSync(serverRoot, { recursive: true, force: true })
    },
  }
}

/** A configuration that is ready to serve; lines of its error log are added to `lines`. */
async function loadSnapshot(options: ServerOptions, serverRoot: string, lines: string[]): Promise<Snapshot> {
  const configFile = join(serverRoot, 'conf/httpd.conf')
  const snapshot = await loadConfiguration({
    program: 'httpd',
    serverRoot,
    configFile,
    defines: options.defines ?? [],
    // A later ErrorLog of the configuration wins; the lines are kept in memory anyway.
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
  })
  snapshot.services.errorLogs.listen((_record, line) => void lines.push(line.trimEnd()))
  await snapshot.openLogs()
  await snapshot.postConfig()
  snapshot.startServing()
  return snapshot
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

/** How long an injected request may take. */
const INJECT_TIMEOUT = 30_000

function inject(snapshot: Snapshot, options: InjectOptions): Promise<InjectedResponse> {
  const { method = 'GET', target, headers = {}, body, version = 'HTTP/1.1' } = options
  const fields: Record<string, string> = { Host: 'localhost', Connection: 'close', ...headers }
  if (body !== undefined && fields['Content-Length'] === undefined) fields['Content-Length'] = String(body.length)
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  const transport = new MemoryTransport({
    remoteAddress: options.remoteAddress ?? '127.0.0.1',
    remotePort: 50_000,
    localPort: options.localPort ?? 80,
  })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer to ${method} ${target}`)), INJECT_TIMEOUT)
    transport.onChange = () => {
      if (!transport.ended && !transport.closed) return
      clearTimeout(timer)
      transport.onChange = null
      resolve(parseResponse(transport.text))
    }
    snapshot.startServing().inject(transport)
    transport.feed(`${method} ${target} ${version}\r\n${head.join('')}\r\n${body ?? ''}`)
    transport.feedEnd()
  })
}

/** Splits what the server sent; interim responses are left out. */
function parseResponse(text: string): InjectedResponse {
  let rest = text
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    const [statusLine = '', ...fieldLines] = (end < 0 ? rest : rest.slice(0, end)).split('\r\n')
    const status = Number(statusLine.split(' ')[1] ?? 0)
    const body = end < 0 ? '' : rest.slice(end + 4)
    if (status >= 100 && status < 200) {
      rest = body
      continue
    }
    const headers = fieldLines.map((line): readonly [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    })
    const header = (name: string): string | undefined => headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1]
    const chunked = header('Transfer-Encoding')?.toLowerCase() === 'chunked'
    return { status, statusLine, headers, body: chunked ? unchunk(body) : body, header }
  }
}

function unchunk(body: string): string {
  let out = ''
  let at = 0
  for (;;) {
    const lineEnd = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.slice(at, lineEnd), 16)
    if (lineEnd < 0 || !(size > 0)) return out
    out += body.slice(lineEnd + 2, lineEnd + 2 + size)
    at = lineEnd + 2 + size + 2
  }
}
