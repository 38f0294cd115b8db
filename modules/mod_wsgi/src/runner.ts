import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LogLevelName } from '@gatewright/api'
import { asciiJson, utf8Bytes } from '@gatewright/api/text'
import { RUNNER_SOURCE } from './runner/runner-source.ts'
import type { RunnerConfig } from './runner-config.ts'

/** How long the runner may take to listen, ms. */
const START_LIMIT = 25_000
/** The longest path of a socket of the system, in bytes. */
const SOCKET_PATH_MAX = 107
/** Characters of what a runner writes that does not start. */
const KEPT = 2000

/** Writes a line of the runner to the error log. */
export type WriteLine = (level: LogLevelName, text: string) => void

/** A message from the runner. */
interface Message {
  readonly ready?: boolean
  readonly log?: readonly [level: LogLevelName, text: string]
  readonly id?: number
  readonly path?: string
  readonly error?: string
}

/** What a connection to the runner needs of its owner. */
export interface RunnerEvents {
  readonly log: WriteLine
  /** The runner has ended, though nobody asked it to. */
  readonly lost: () => void
}

/** A connection of this process to the runner, which lives as long as there are any. */
export class RunnerConnection {
  readonly folder: string
  readonly #socket: Socket
  readonly #events: RunnerEvents
  readonly #paths = new Map<string, Promise<string>>()
  readonly #asked = new Map<number, PromiseWithResolvers<string>>()
  readonly #ready = Promise.withResolvers<void>()
  #next = 1
  #line = ''
  #isClosed = false

  constructor(folder: string, socket: Socket, events: RunnerEvents) {
    this.folder = folder
    this.#socket = socket
    this.#events = events
    this.#ready.promise.catch(() => undefined)
    socket.setEncoding('utf8').on('data', (part: string) => this.#read(part))
    socket.on('error', () => undefined)
    socket.on('close', () => this.#lost())
    socket.unref()
  }

  /** Settles when the runner listens; rejects if it ends before. */
  get ready(): Promise<void> {
    return this.#ready.promise
  }

  /** The socket of the processes of a process group and an application group, which are started if they do not run. */
  pathOf(processGroup: string, applicationGroup: string): Promise<string> {
    const key = `${processGroup}\0${applicationGroup}`
    const known = this.#paths.get(key)
    if (known !== undefined) return known
    const path = this.#ask(processGroup, applicationGroup)
    this.#paths.set(key, path)
    path.catch(() => this.#paths.delete(key))
    return path
  }

  /** This process serves: from now on, another one follows if it dies. */
  serving(): void {
    this.#send({ serving: true })
  }

  /** @param how `leaving`: no other process follows this one. `replaced`: another connection of this process does. */
  close(how: 'leaving' | 'replaced'): void {
    if (this.#isClosed) return
    this.#isClosed = true
    if (how === 'leaving') this.#send({ leaving: true })
    this.#socket.end()
    this.#fail('this process ends')
  }

  #ask(processGroup: string, applicationGroup: string): Promise<string> {
    if (this.#isClosed) return Promise.reject(new Error('the runner of Python has ended'))
    const id = this.#next++
    const asked = Promise.withResolvers<string>()
    this.#asked.set(id, asked)
    // The answer is waited for, also by a process that has nothing else to do.
    this.#socket.ref()
    this.#send({ open: [processGroup, applicationGroup], id })
    return asked.promise
  }

  #send(message: object): void {
    if (this.#socket.writable) this.#socket.write(`${asciiJson(message)}\n`)
  }

  #read(part: string): void {
    const lines = (this.#line + part).split('\n')
    this.#line = lines.pop() ?? ''
    for (const line of lines) this.#take(JSON.parse(line))
  }

  #take(message: Message): void {
    if (message.ready === true) this.#ready.resolve()
    if (message.log !== undefined) this.#events.log(message.log[0], utf8Bytes(message.log[1]))
    if (message.id === undefined) return
    const asked = this.#asked.get(message.id)
    this.#asked.delete(message.id)
    if (this.#asked.size === 0) this.#socket.unref()
    if (message.path !== undefined) asked?.resolve(message.path)
    else asked?.reject(new Error(message.error ?? 'no answer'))
  }

  #lost(): void {
    const wasClosed = this.#isClosed
    this.#isClosed = true
    this.#fail('the runner of Python has ended')
    if (!wasClosed) this.#events.lost()
  }

  #fail(reason: string): void {
    const error = new Error(reason)
    this.#ready.reject(error)
    for (const { reject } of this.#asked.values()) reject(error)
    this.#asked.clear()
    this.#paths.clear()
  }
}

/** Starts the runner and waits until it listens. @throws Error with what it wrote, if it does not */
export async function startRunner(
  prefix: string,
  config: (folder: string) => RunnerConfig,
  python: string,
  events: RunnerEvents,
): Promise<RunnerConnection> {
  const folder = newFolder(prefix)
  try {
    const made = config(folder)
    // Processes with another user read the program; the settings are for the runner alone.
    chmodSync(folder, 0o711)
    writeFileSync(join(folder, 'runner.py'), RUNNER_SOURCE, { mode: 0o644 })
    writeFileSync(join(folder, 'settings'), asciiJson(made), { mode: 0o600 })
    const args = ['-I', '-S', '-B', join(folder, 'runner.py'), 'master', join(folder, 'settings')]
    const child = spawn(python, args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'], detached: true, cwd: '/' })
    let messages = ''
    child.stderr?.setEncoding('utf8').on('data', (part: string) => {
      messages = (messages + part).slice(-KEPT)
    })
    const socket = child.stdio[3]
    if (!(socket instanceof Socket)) throw new Error('the runner has no connection')
    const connection = new RunnerConnection(folder, socket, events)
    const failed = new Promise<never>((_, reject) => {
      child.once('error', reject)
      child.once('exit', (status) => reject(new Error(`it ended with status ${status}: ${messages.trim()}`)))
    })
    failed.catch(() => undefined)
    try {
      await within(Promise.race([connection.ready, failed]))
    } catch (error) {
      connection.close('leaving')
      child.kill('SIGTERM')
      throw messages === '' || !(error instanceof Error) || error.message.includes(messages.trim())
        ? error
        : new Error(`${error.message}: ${messages.trim()}`)
    }
    child.stderr?.destroy()
    child.unref()
    return connection
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** Another connection to a runner, in any process of the server. */
export function connectRunner(folder: string, events: RunnerEvents): Promise<RunnerConnection> {
  return new Promise((resolve, reject) => {
    const socket = connect(join(folder, 'control'))
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(new RunnerConnection(folder, socket, events))
    })
  })
}

/** A folder with a name that nobody knows before. The path of a socket is short: if it would not be, the folder is elsewhere. */
function newFolder(prefix: string): string {
  const isShort = Buffer.byteLength(prefix) + '.XXXXXX/control'.length <= SOCKET_PATH_MAX
  return mkdtempSync(isShort ? `${prefix}.` : join(tmpdir(), 'gatewright-wsgi.'))
}

async function within(action: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not start within ${START_LIMIT / 1000} s`)), START_LIMIT)
  })
  try {
    await Promise.race([action, late])
  } finally {
    clearTimeout(timer)
  }
}
