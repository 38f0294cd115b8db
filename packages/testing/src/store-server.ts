import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A Redis or memcached of a test, with a socket of the file system in a folder of its own, and no port. */
export interface StoreServer {
  /** Its address in directives: `unix:PATH`. */
  readonly address: string
  /** Ends it and waits for its exit; what it kept is lost. */
  stop(): Promise<void>
  /** Starts it again after `stop`. */
  restart(): Promise<void>
  /** Ends it and removes its folder. */
  close(): Promise<void>
}

const NOBODY = 65_534

/** Whether Debian's redis-server is installed. */
export function hasRedis(): boolean {
  return existsSync('/usr/bin/redis-server')
}

/** Whether Debian's memcached is installed. */
export function hasMemcached(): boolean {
  return existsSync('/usr/bin/memcached')
}

/** Starts Redis. */
export function redisStore(): Promise<StoreServer> {
  return storeServer('/usr/bin/redis-server', (socket, folder) => [
    '--port',
    '0',
    '--unixsocket',
    socket,
    // The server that asks may run as another user.
    '--unixsocketperm',
    '777',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    folder,
  ])
}

/** Starts memcached. */
export function memcachedStore(): Promise<StoreServer> {
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  return storeServer('/usr/bin/memcached', (socket) => ['-s', socket, '-a', '0700', '-U', '0', ...user])
}

async function storeServer(program: string, args: (socket: string, folder: string) => readonly string[]): Promise<StoreServer> {
  const folder = mkdtempSync(join(tmpdir(), 'gw-store-'))
  if (process.getuid?.() === 0) chownSync(folder, NOBODY, NOBODY)
  const socket = join(folder, 's.sock')
  let running: ChildProcess | null = null
  let exited: Promise<void> = Promise.resolve()
  const start = async (): Promise<void> => {
    const started = spawn(program, args(socket, folder), { stdio: 'ignore', cwd: '/' })
    running = started
    exited = new Promise((resolve) => {
      started.once('exit', () => resolve())
      started.once('error', () => resolve())
    })
    while (!(await accepts(socket))) {
      if (started.exitCode !== null || started.signalCode !== null) throw new Error(`${program} has ended`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const stop = async (): Promise<void> => {
    running?.kill('SIGKILL')
    await exited
    rmSync(socket, { force: true })
  }
  await start()
  return {
    address: `unix:${socket}`,
    stop,
    restart: start,
    async close() {
      await stop()
      rmSync(folder, { recursive: true })
    },
  }
}

function accepts(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
