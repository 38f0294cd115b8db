import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A database server of a test, with a socket of the file system in a folder of its own, and no port. */
export interface DatabaseServer {
  /** DBDParams that reach its database `site`. */
  readonly params: string
  /** Runs statements with the server's own client. @throws Error with its output if one fails */
  run(sql: string): void
  /** Ends it at once, without warning, and waits for its exit. */
  kill(): Promise<void>
  /** Starts it again after `kill`, with its data. */
  restart(): Promise<void>
  /** Ends it, waits for its exit, and removes its folder. */
  close(): Promise<void>
}

const POSTGRES = globSync('/usr/lib/postgresql/*/bin').at(-1)

/** Whether Debian's PostgreSQL is installed. */
export function hasPostgres(): boolean {
  return POSTGRES !== undefined && existsSync(join(POSTGRES, 'initdb'))
}

/** Whether Debian's MariaDB is installed. */
export function hasMariadb(): boolean {
  return existsSync('/usr/sbin/mariadbd') && existsSync('/usr/bin/mariadb-install-db')
}

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534
const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/** Starts PostgreSQL. */
export async function postgresServer(): Promise<DatabaseServer> {
  const bin = POSTGRES ?? ''
  const folder = ownFolder('gw-pg-')
  const data = join(folder, 'data')
  // The passwords of the superuser are irrelevant: only this user can enter the folder of the socket.
  execute(join(bin, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'www', '-E', 'UTF8', '--no-sync'], asNobody)
  const server = new RunningServer(
    join(bin, 'postgres'),
    ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'max_connections=40'],
    asNobody,
    'SIGINT',
    () => runs('/usr/bin/psql', ['-h', folder, '-U', 'www', '-c', 'SELECT 1', 'postgres']),
  )
  await server.start()
  const client = ['-h', folder, '-U', 'www', '-v', 'ON_ERROR_STOP=1', '-q']
  execute('/usr/bin/psql', [...client, '-c', 'CREATE DATABASE site', 'postgres'])
  return {
    params: `host=${folder} dbname=site user=www`,
    run: (sql) => execute('/usr/bin/psql', [...client, '-c', sql, 'site']),
    ...controls(server, folder),
  }
}

/** Starts MariaDB. */
export async function mariadbServer(): Promise<DatabaseServer> {
  const folder = ownFolder('gw-my-')
  const data = join(folder, 'data')
  const socket = join(folder, 'm.sock')
  const user = process.getuid?.() === 0 ? ['--user=nobody'] : []
  execute('/usr/bin/mariadb-install-db', [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    ...user,
  ])
  const server = new RunningServer(
    '/usr/sbin/mariadbd',
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--socket=${socket}`,
      `--pid-file=${join(folder, 'm.pid')}`,
      '--skip-networking',
      ...user,
    ],
    {},
    'SIGTERM',
    () => runs('/usr/bin/mariadb', ['--no-defaults', `--socket=${socket}`, '-u', 'root', '-e', 'SELECT 1']),
  )
  await server.start()
  const client = ['--no-defaults', `--socket=${socket}`, '-u', 'root', '--default-character-set=utf8mb4']
  execute('/usr/bin/mariadb', [
    ...client,
    '-e',
    "CREATE DATABASE site CHARACTER SET utf8mb4; CREATE USER 'www' IDENTIFIED BY 'pw'; GRANT ALL ON site.* TO 'www'",
  ])
  return {
    params: `sock=${socket},user=www,pass=pw,dbname=site`,
    run: (sql) => execute('/usr/bin/mariadb', [...client, '-e', sql, 'site']),
    ...controls(server, folder),
  }
}

function ownFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  if (process.getuid?.() === 0) chownSync(folder, NOBODY, NOBODY)
  return folder
}

function controls(server: RunningServer, folder: string): Pick<DatabaseServer, 'kill' | 'restart' | 'close'> {
  return {
    kill: () => server.end('SIGKILL'),
    restart: () => server.start(),
    async close() {
      await server.end()
      rmSync(folder, { recursive: true })
    },
  }
}

function runs(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore', timeout: 30_000 }).status === 0
}

function execute(program: string, args: readonly string[], options: { readonly uid?: number; readonly gid?: number } = {}): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, { ...options, encoding: 'utf8', cwd: '/', timeout: 300_000 })
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? ''}${stdout}${stderr}`)
}

/** The longest that a start takes (ms); only a failure exceeds it. */
const START_LIMIT = 120_000

/** A server program, which is ready when a client gets an answer. */
class RunningServer {
  readonly #program: string
  readonly #args: readonly string[]
  readonly #options: { readonly uid?: number; readonly gid?: number }
  readonly #stop: NodeJS.Signals
  readonly #answers: () => boolean
  #process: ChildProcess | null = null
  #exited: Promise<void> = Promise.resolve()

  constructor(
    program: string,
    args: readonly string[],
    options: { readonly uid?: number; readonly gid?: number },
    stop: NodeJS.Signals,
    answers: () => boolean,
  ) {
    this.#program = program
    this.#args = args
    this.#options = options
    this.#stop = stop
    this.#answers = answers
  }

  /** A server whose former process was killed may refuse to start until the last of its processes has ended. */
  async start(): Promise<void> {
    const end = performance.now() + START_LIMIT
    while (!(await this.#started())) {
      if (performance.now() > end) throw new Error(`${this.#program} does not start`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  /** @returns false if the program has ended before it answered */
  async #started(): Promise<boolean> {
    const started = spawn(this.#program, this.#args, { ...this.#options, stdio: 'ignore', cwd: '/' })
    this.#process = started
    this.#exited = new Promise((resolve) => {
      started.once('exit', () => resolve())
      started.once('error', () => resolve())
    })
    while (!this.#answers()) {
      if (started.exitCode !== null || started.signalCode !== null) return false
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    return true
  }

  async end(signal: NodeJS.Signals = this.#stop): Promise<void> {
    const { exitCode = 0, signalCode = null } = this.#process ?? {}
    if (exitCode === null && signalCode === null) this.#process?.kill(signal)
    await this.#exited
  }
}
