import { closeSync, constants, openSync, renameSync, rmSync } from 'node:fs'
import net from 'node:net'
import { basename, dirname, join } from 'node:path'
import { type CommandRequest, commandRequest, LONGEST_REQUEST } from './command-request.ts'

/** Runs a command. @returns the answers of workers, each as JSON */
export type RunCommand = (request: CommandRequest) => Promise<readonly string[]>

/** Most commands at a time; more of them are a mistake. */
const MOST = 16
/** Time in which a command has to arrive (ms). */
const PATIENCE = 10_000
/** Longer paths may not fit into the address of a socket (bytes). */
const LONGEST_PATH = 100

/** The socket for commands of a server with this pid file. */
export function commandSocketPath(pidFile: string): string {
  return `${pidFile}.control`
}

/**
 * Listens for commands of operators, on a socket beside the pid file that only the user of the supervisor and root can
 * connect to: one line of JSON each, answered with one line.
 */
export class CommandSocket {
  readonly #path: string
  readonly #run: RunCommand
  #server: net.Server | null = null

  /** @param path see commandSocketPath */
  constructor(path: string, run: RunCommand) {
    this.#path = path
    this.#run = run
  }

  /** Begins to listen, in place of another server. @param failed called with the reason if that is impossible */
  open(failed: (cause: Error) => void): void {
    this.#close()
    const server = net.createServer((socket) => this.#serve(socket))
    server.maxConnections = MOST
    this.#server = server
    // It gets its name when it listens. Closing removes the temporary one alone: the other may belong to a successor.
    const fresh = `${this.#path}.${process.pid}`
    server.on('error', failed)
    try {
      rmSync(fresh, { force: true })
      const { path, done } = shortPath(fresh)
      server.once('listening', () => {
        done()
        try {
          renameSync(fresh, this.#path)
        } catch (error) {
          this.#close()
          failed(error instanceof Error ? error : new Error(String(error)))
        }
      })
      server.once('error', done)
      // Nobody else can connect to it, not even before its permissions could be changed.
      const former = process.umask(0o177)
      try {
        server.listen({ path })
      } finally {
        process.umask(former)
      }
    } catch (error) {
      failed(error instanceof Error ? error : new Error(String(error)))
    }
    server.unref()
  }

  /** @param isOwn false if another server has taken the name */
  close(isOwn: boolean): void {
    this.#close()
    if (isOwn) remove(this.#path)
  }

  #close(): void {
    this.#server?.close()
    this.#server = null
  }

  #serve(socket: net.Socket): void {
    let text = ''
    let isRead = false
    const timer = setTimeout(() => socket.destroy(), PATIENCE)
    socket.setEncoding('utf8')
    socket.on('error', () => socket.destroy())
    socket.on('close', () => clearTimeout(timer))
    socket.on('data', (chunk: string) => {
      if (isRead) return
      text += chunk
      if (text.length > LONGEST_REQUEST) socket.destroy()
      const end = text.indexOf('\n')
      if (end < 0) return
      isRead = true
      clearTimeout(timer)
      void this.#answer(socket, text.slice(0, end))
    })
  }

  async #answer(socket: net.Socket, line: string): Promise<void> {
    const request = commandRequest(line)
    const answers = request === null ? [NOT_UNDERSTOOD] : await this.#run(request)
    socket.end(`{"answers":[${answers.join(',')}]}\n`)
  }
}

const NOT_UNDERSTOOD = JSON.stringify({
  problem: 'the server did not understand the command',
  hint: 'it may be of another version than this program: run httpd -k upgrade',
})

/** A path to the same file that is short enough for the address of a socket. @param done ends its validity */
export function shortPath(path: string): { readonly path: string; readonly done: () => void } {
  if (Buffer.byteLength(path) <= LONGEST_PATH) return { path, done: () => undefined }
  const folder = openSync(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY)
  let isOpen = true
  const done = (): void => {
    if (isOpen) closeSync(folder)
    isOpen = false
  }
  return { path: join('/proc/self/fd', String(folder), basename(path)), done }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The folder no longer belongs to this server.
  }
}
