import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const PROGRAM = '/usr/sbin/mariadbd'

/** A MariaDB with one empty database, which listens on a socket of the file system only. */
export class Database {
  static readonly NAME = 'application'
  static readonly USER = 'application'
  static readonly PASSWORD = 'a secret of the database'
  readonly socket: string
  readonly #child: ChildProcess

  private constructor(socket: string, child: ChildProcess) {
    this.socket = socket
    this.#child = child
  }

  /** @param folder an empty one */
  static async start(folder: string): Promise<Database> {
    mkdirSync(folder, { recursive: true })
    const data = join(folder, 'data')
    const socket = join(folder, 'socket')
    const first = join(folder, 'first.sql')
    const account = `'${Database.USER}'@'localhost'`
    writeFileSync(
      first,
      `CREATE DATABASE ${Database.NAME};\nCREATE USER ${account} IDENTIFIED BY '${Database.PASSWORD}';\n` +
        `GRANT ALL ON ${Database.NAME}.* TO ${account};\n`,
    )
    const user = process.geteuid?.() === 0 ? ['--user=mysql'] : []
    if (user.length > 0) execFileSync('chown', ['mysql', folder])
    execFileSync(
      '/usr/bin/mariadb-install-db',
      ['--no-defaults', `--datadir=${data}`, '--skip-test-db', '--auth-root-authentication-method=normal', ...user],
      { stdio: 'ignore' },
    )
    const log = join(folder, 'log.err')
    const child = spawn(
      PROGRAM,
      [
        '--no-defaults',
        `--datadir=${data}`,
        `--socket=${socket}`,
        '--skip-networking',
        `--init-file=${first}`,
        `--log-error=${log}`,
        ...user,
      ],
      { stdio: 'ignore' },
    )
    const isReady = (): boolean => existsSync(log) && readFileSync(log, 'utf8').includes('ready for connections')
    while (child.exitCode === null) {
      if (isReady()) return new Database(socket, child)
      await pause(50)
    }
    throw new Error(`MariaDB has ended: ${existsSync(log) ? readFileSync(log, 'utf8').slice(-1000) : ''}`)
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await ended
  }
}
