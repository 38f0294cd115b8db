import { spawn } from 'node:child_process'
import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { cpuMicroseconds, memoryMebibytes, processIds } from '../process-tree.mjs'

const START_SECONDS = 15
const STOP_SECONDS = 5

/** A server in the foreground on one core, with all its processes. */
export class RunningServer {
  #child
  #complaint = ''
  #ended

  constructor(child, port) {
    this.#child = child
    child.stderr.setEncoding('utf8').on('data', (chunk) => (this.#complaint += chunk))
    child.on('error', (error) => (this.#complaint += error.message))
    this.#ended = new Promise((resolve) => child.once('close', resolve))
    this.port = port
  }

  /**
   * Returns when the server accepts connections.
   * @param {{ core: number, command: readonly string[], port: number, path: string, descriptors?: number,
   *   signal: AbortSignal }} how `path` is PATH; `descriptors` is the limit of each process, by default that
   *   of this process
   * @throws {Error} with the server's output, if it ends or does not listen
   */
  static async start({ core, command, port, path, descriptors, signal }) {
    const limit = descriptors === undefined ? [] : ['prlimit', `--nofile=${descriptors}:${descriptors}`]
    const child = spawn('taskset', ['-c', `${core}`, ...limit, ...command], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, PATH: path },
    })
    const server = new RunningServer(child, port)
    const deadline = Date.now() + START_SECONDS * 1000
    while (server.#runs() && Date.now() < deadline && !signal.aborted) {
      if (await accepts(port)) return server
      await pause(20)
    }
    const late = server.#runs() ? `does not listen after ${START_SECONDS} s` : 'ended'
    await server.stop()
    signal.throwIfAborted()
    throw new Error(`did not start (${late}): ${server.lastWords}`)
  }

  /** Its output after it has ended; undefined while it runs. */
  get lastWords() {
    return this.#runs() ? undefined : this.#complaint.trim()
  }

  get cpuMicroseconds() {
    return cpuMicroseconds(this.#child.pid)
  }

  get memoryMebibytes() {
    return memoryMebibytes(this.#child.pid)
  }

  /** The ids of all its processes, oldest first; none if it has ended. */
  get processes() {
    return this.#runs() ? processIds(this.#child.pid) : []
  }

  /** Ends it and all its processes, and returns when none of them can write any more. */
  async stop() {
    const { processes } = this
    this.#child.kill('SIGTERM')
    const late = setTimeout(() => {
      processes.forEach(kill)
      this.#child.stderr.destroy()
    }, STOP_SECONDS * 1000)
    await this.#ended
    clearTimeout(late)
  }

  #runs() {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }
}

/** A free port. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
