import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type ConnectionPool, type UpstreamConnection, type UpstreamError, unkeptConnections } from '@gatewright/upstream'
import { poolText } from './pool-text.ts'
import type { PhpSettings } from './settings.ts'

/** How long PHP-FPM may take to accept connections, in ms. */
const START_LIMIT = 15_000
/** Characters of its messages that are kept for an error. */
const KEPT = 2000

/**
 * Runs the program, and asks it to finish when this server's process, which holds the other end of descriptor 3, has ended in
 * whatever way.
 */
const GUARD = `
folder=$1; shift
"$@" 3<&- </dev/null & pid=$!
{ read -r _ <&3; kill -QUIT "$pid" 2>/dev/null; } & reader=$!
exec 3<&-
wait "$pid"; status=$?
kill "$reader" 2>/dev/null
rm -rf "$folder"
exit "$status"
`

/** How pools are started. */
export interface FpmStart {
  readonly program: string
  /** PHPIniDir. */
  readonly iniFolder: string | null
  /** Takes a message of PHP-FPM. */
  report(line: string): void
}

/** A PHP-FPM of this process for one set of settings. */
export class FpmPool {
  /** Requests that it serves. */
  busy = 0
  readonly #folder: string
  readonly #child: ChildProcess
  readonly #connections: ConnectionPool
  readonly #ready: Promise<void>
  #messages = ''
  #ended = false

  constructor(settings: PhpSettings, start: FpmStart) {
    // Nobody else may enter it.
    this.#folder = mkdtempSync(join(tmpdir(), 'gatewright-php-'))
    const socket = join(this.#folder, 'socket')
    const file = join(this.#folder, 'fpm.conf')
    const isRoot = process.geteuid?.() === 0
    const user = isRoot ? { uid: 0, gid: process.getegid?.() ?? 0 } : null
    const log = join(this.#folder, 'log')
    writeFileSync(file, poolText({ socket, log, settings, user }), { mode: 0o600 })
    const words = ['-F', '-y', file, ...(isRoot ? ['-R'] : []), ...(start.iniFolder === null ? [] : ['-c', start.iniFolder])]
    this.#child = spawn('/bin/sh', ['-c', GUARD, 'sh', this.#folder, start.program, ...words], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    })
    this.#child.on('error', (error) => this.#note(error.message, start))
    this.#child.on('exit', () => {
      this.#ended = true
    })
    this.#child.stderr?.setEncoding('latin1').on('data', (text: string) => this.#note(text, start))
    this.#child.unref()
    this.#connections = unkeptConnections({ path: socket }, START_LIMIT)
    this.#ready = this.#untilReady(socket)
    this.#ready.catch(() => undefined)
  }

  /** PHP-FPM has ended, or does not start. */
  get ended(): boolean {
    return this.#ended
  }

  /** @throws Error if PHP-FPM does not start */
  async connect(): Promise<UpstreamConnection | UpstreamError> {
    await this.#ready
    return new Promise((resolve) => {
      this.#connections.acquire({ onConnection: resolve, onError: resolve })
    })
  }

  /** Requests that it serves are finished. */
  close(): void {
    this.#connections.drain()
    // The guard reads the end of it.
    const pipe = this.#child.stdio[3]
    if (pipe !== null && pipe !== undefined) pipe.destroy()
    if (this.#ended) rmSync(this.#folder, { recursive: true, force: true })
  }

  async #untilReady(socket: string): Promise<void> {
    const limit = performance.now() + START_LIMIT
    while (!this.#ended && performance.now() < limit) {
      if (await accepts(socket)) return
      await pause(20)
    }
    this.#ended = true
    throw new Error(`PHP-FPM does not start: ${this.#messages.trim() || 'it does not accept connections'}`)
  }

  #note(text: string, { report }: FpmStart): void {
    this.#messages = (this.#messages + text).slice(-KEPT)
    for (const line of text.split('\n')) if (line !== '') report(line)
  }
}

function accepts(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
