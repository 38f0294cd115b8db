import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { acceptsConnections } from '../../accepts-connections.ts'
import type { HttpdProgram } from './httpd-program.ts'
import { OracleError } from './oracle-error.ts'

const PATIENCE = 20_000
const STEP = 25

/** An httpd that was started to answer questions. */
export interface HttpdProcess {
  /** Resolves when it has ended. */
  stop(): Promise<void>
}

export interface HttpdStart {
  /** Its ServerRoot, with httpd.conf and logs/error_log in it. */
  readonly root: string
  /** The address on which it accepts connections. */
  readonly address: string
  readonly port: number
}

/** Starts it and waits until it accepts connections. @throws OracleError with its output */
export async function startHttpd({ path }: HttpdProgram, { root, address, port }: HttpdStart): Promise<HttpdProcess> {
  const words = ['-d', root, '-f', join(root, 'httpd.conf')]
  const test = spawnSync(path, [...words, '-t'], { encoding: 'utf8', timeout: PATIENCE })
  if (test.status !== 0) throw refused(path, `${test.stdout}${test.stderr}`)
  // With -X there is one process, which ends immediately.
  const child = spawn(path, [...words, '-X'], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  for (let waited = 0; !(await acceptsConnections({ host: address, port })); waited += STEP) {
    if (child.exitCode === null && waited < PATIENCE) {
      await pause(STEP)
      continue
    }
    await stop(child, ended)
    throw refused(path, logOf(root))
  }
  return { stop: () => stop(child, ended) }
}

function refused(path: string, said: string): OracleError {
  const lines = said.split('\n').filter((line) => line.trim() !== '' && line.trim() !== 'Syntax OK')
  return new OracleError(
    `${path} does not load the configuration:\n${lines.slice(-8).join('\n')}`,
    'correct the cause, or omit --oracle',
  )
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill('SIGTERM')
  const last = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await ended
  clearTimeout(last)
}

function logOf(root: string): string {
  try {
    return readFileSync(join(root, 'logs/error_log'), 'latin1')
  } catch {
    return ''
  }
}
