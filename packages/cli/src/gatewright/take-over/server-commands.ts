import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { ENTRY } from '../../program.ts'
import type { RunningServer } from './running-server.ts'

/** How a program ended; `text` is what it printed, on both streams. */
export interface Ended {
  readonly status: number | null
  readonly text: string
}

/** Runs the `httpd` of this installation. */
export function ownHttpd(words: readonly string[], environment: Readonly<Record<string, string>>): Promise<Ended> {
  return ended(process.execPath, [...process.execArgv, join(dirname(ENTRY), 'httpd.mjs'), ...words], {
    ...process.env,
    ...environment,
  })
}

/** Starts Apache httpd as it was started before: by its service manager, or with its own options. */
export function startAgain({ executable, words, environment, unit }: Omit<RunningServer, 'pid'>): Promise<Ended> {
  if (unit !== null) return ended('systemctl', ['start', unit], process.env)
  return ended(executable, [...words, '-k', 'start'], environment)
}

/**
 * The options by which this server reads the configuration of another one: those of its command line, and the
 * folder and file that are compiled into it.
 */
export async function wordsForConfiguration({ executable, words, environment }: RunningServer): Promise<string[]> {
  const { text } = await ended(executable, [...words, '-V'], environment)
  const compiled = (name: string): string | undefined => new RegExp(`-D ${name}="([^"]*)"`).exec(text)?.[1]
  const root = compiled('HTTPD_ROOT')
  const file = compiled('SERVER_CONFIG_FILE')
  return [
    ...(words.includes('-d') || root === undefined ? [] : ['-d', root]),
    ...(words.includes('-f') || file === undefined ? [] : ['-f', file]),
    ...words.filter((word, at) => !isForeground(word, words[at + 1]) && !isForeground(words[at - 1], word)),
  ]
}

function isForeground(option: string | undefined, value: string | undefined): boolean {
  return option === '-D' && value === 'FOREGROUND'
}

/** How long after its end a program's output may be kept open by a program that it started, such as one for logs (ms). */
const OPEN_STREAMS = 5_000

/** Runs a program, and collects its output until its streams are closed. */
function ended(program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    const collect = (chunk: Buffer): void => {
      text += chunk.toString()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('error', (error) => resolve({ status: null, text: error.message }))
    child.on('close', (status) => resolve({ status, text }))
    child.on('exit', () => {
      const late = setTimeout(() => {
        child.stdout.destroy()
        child.stderr.destroy()
      }, OPEN_STREAMS)
      child.on('close', () => clearTimeout(late))
    })
  })
}
