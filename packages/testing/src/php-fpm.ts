import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PROGRAM = '/usr/sbin/php-fpm8.2'

/** Whether Debian's php8.2-fpm is installed. */
export function hasPhpFpm(): boolean {
  return existsSync(PROGRAM)
}

/** A PHP-FPM of a test, with one pool. */
export interface PhpFpm {
  /** Its socket of the file system. */
  readonly socket: string
  close(): Promise<void>
}

/** Starts PHP-FPM. @param settings lines of the pool's configuration */
export async function phpFpm(settings = ''): Promise<PhpFpm> {
  const folder = mkdtempSync(join(tmpdir(), 'gw-fpm-'))
  const socket = join(folder, 'fpm.sock')
  const file = join(folder, 'fpm.conf')
  const user = process.getuid?.() === 0 ? 'user = root\ngroup = root\n' : ''
  writeFileSync(
    file,
    `[global]\nerror_log = ${folder}/fpm.log\ndaemonize = no\n[www]\n${user}listen = ${socket}\npm = static\npm.max_children = 3\n${settings}\n`,
  )
  const program = spawn(PROGRAM, ['-R', '-F', '-y', file], { stdio: 'ignore' })
  try {
    await answers(socket, program)
  } catch (error) {
    await end(program)
    rmSync(folder, { recursive: true })
    throw error
  }
  return {
    socket,
    async close() {
      await end(program)
      rmSync(folder, { recursive: true })
    },
  }
}

/** Waits until the socket accepts connections. */
async function answers(path: string, program: ChildProcess): Promise<void> {
  while (program.exitCode === null) {
    if (await accepts(path)) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('php-fpm has ended')
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

async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null) return
  const ended = new Promise((resolve) => program.once('exit', resolve))
  program.kill('SIGTERM')
  await ended
}
