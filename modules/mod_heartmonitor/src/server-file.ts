import { randomBytes } from 'node:crypto'
import { chmod, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises'
import type { ModuleLog } from '@gatewright/api'
import { heartbeatFields } from '@gatewright/api/peers'
import { type HeardServers, type Heartbeat, LONGEST_SILENCE, MOST_SERVERS } from './heard-servers.ts'

/** A port that a server does not name. */
const STANDARD_PORT = 80
const READ_ONLY = 0o444

interface StoredServer {
  readonly ready: number
  readonly busy: number
  readonly port: number
  /** In milliseconds since the epoch. */
  readonly heard: number
}

/**
 * Servers in a file with a line for each, `10.0.0.1 &ready=75&busy=0&lastseen=1&port=80`, which is replaced as a whole. What
 * another process has written stays, with its age.
 */
export class ServerFile implements HeardServers {
  readonly #path: string
  readonly #log: ModuleLog
  /** What was heard and is not in the file. */
  readonly #fresh = new Map<string, StoredServer>()
  #writing: Promise<void> = Promise.resolve()
  /** The next writing, while it waits for the present one: it writes what was heard until it begins. */
  #next: Promise<void> | null = null

  constructor(path: string, log: ModuleLog) {
    this.#path = path
    this.#log = log
  }

  hear({ address, ready, busy, port }: Heartbeat, soon: boolean): void | Promise<void> {
    const known = this.#fresh.get(address)
    if (known === undefined && this.#fresh.size >= MOST_SERVERS) return undefined
    this.#fresh.set(address, { ready, busy, port: port ?? known?.port ?? 0, heard: Date.now() })
    return soon ? this.keep() : undefined
  }

  keep(): Promise<void> {
    if (this.#next !== null) return this.#next
    this.#next = this.#writing.then(() => {
      this.#next = null
      return this.#write()
    })
    this.#writing = this.#next
    return this.#writing
  }

  known(): null {
    return null
  }

  async #write(): Promise<void> {
    const servers = await this.#stored()
    for (const [address, server] of this.#fresh) {
      if (servers.size >= MOST_SERVERS && !servers.has(address)) continue
      const port = server.port === 0 ? (servers.get(address)?.port ?? STANDARD_PORT) : server.port
      servers.set(address, { ...server, port })
    }
    this.#fresh.clear()
    const now = Date.now()
    let text = ''
    for (const [address, { ready, busy, port, heard }] of servers) {
      const silence = now - heard
      if (silence > LONGEST_SILENCE) continue
      const age = Math.max(0, Math.trunc(silence / 1000))
      text += `${address} &ready=${ready}&busy=${busy}&lastseen=${age}&port=${port}\n`
    }
    await this.#replace(text)
  }

  async #stored(): Promise<Map<string, StoredServer>> {
    const servers = new Map<string, StoredServer>()
    const path = bytes(this.#path)
    try {
      const { mtimeMs } = await stat(path)
      for (const line of (await readFile(path, 'latin1')).split('\n')) {
        const blank = line.indexOf(' ')
        if (blank <= 0) continue
        const fields = heartbeatFields(line.slice(blank + 1))
        const number = (name: string): number => Math.trunc(Number(fields.get(name) ?? 0)) || 0
        const heard = mtimeMs - number('lastseen') * 1000
        servers.set(line.slice(0, blank), { ready: number('ready'), busy: number('busy'), port: number('port'), heard })
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
        this.#log.write(null, 'error', 'AH02075', `Unable to read file: ${this.#path}`, asError(error))
      }
    }
    return servers
  }

  async #replace(text: string): Promise<void> {
    const name = `${this.#path}.tmp.${randomBytes(3).toString('hex')}`
    const temporary = bytes(name)
    let problem: readonly [code: string, text: string] = ['AH02081', `Unable to open tmp file: ${name}`]
    try {
      await writeFile(temporary, text, { encoding: 'latin1', flag: 'wx', mode: READ_ONLY })
      problem = ['AH02084', `Unable to set file permissions on ${name}`]
      // Whatever the umask says.
      await chmod(temporary, READ_ONLY)
      problem = ['AH02085', `Unable to move file: ${name} -> ${this.#path}`]
      await rename(temporary, bytes(this.#path))
    } catch (error) {
      this.#log.write(null, 'crit', problem[0], problem[1], asError(error))
      await unlink(temporary).catch(() => undefined)
    }
  }
}

/** Paths have a character for each byte. */
function bytes(path: string): Buffer {
  return Buffer.from(path, 'latin1')
}

function asError(error: unknown): Error | undefined {
  return error instanceof Error ? error : undefined
}
