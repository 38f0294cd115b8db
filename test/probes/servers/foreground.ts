import { spawn } from 'node:child_process'
import { accessSync, constants, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { canConnect } from '../../fixtures/staged-server.ts'
import type { RunningServer } from './contestant.ts'

/** The search path for programs: servers are often installed in folders that only root's PATH contains. */
const PATH = [process.env['PATH'], '/usr/local/sbin', '/usr/sbin'].join(delimiter)
const START_MS = 20_000
const STEP_MS = 20

export function isInstalled(program: string): boolean {
  return PATH.split(delimiter).some((folder) => isExecutable(join(folder, program)))
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A folder of a server's own below the site's root, with room for its logs. */
export function serverFolder(root: string, name: string): string {
  mkdirSync(join(root, name, 'logs'), { recursive: true })
  return join(root, name)
}

/** Runs a server in the foreground and waits until it listens. @throws its output if it ends instead */
export async function foreground(command: readonly string[], port: number): Promise<RunningServer> {
  // The test runner adds its own Node options to every process; a server runs without them.
  const { NODE_OPTIONS: _, ...env } = process.env
  const [program, ...words] = command
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...env, PATH } })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  let over = false
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      said += error.message
      over = true
      resolve()
    })
    child.once('close', () => {
      over = true
      resolve()
    })
  })
  const stop = async (): Promise<void> => {
    if (!over) child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), 5000)
    await ended
    clearTimeout(late)
  }
  for (const until = performance.now() + START_MS; performance.now() < until && !over; ) {
    if (await canConnect(port)) return { port, stop }
    await pause(STEP_MS)
  }
  await stop()
  throw new Error(`${program} did not start: ${said.trim()}`)
}
