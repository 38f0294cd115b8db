import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ChallengeMessage, FromProcess, Task } from './messages.ts'

/** The longest time that a task may take (ms). */
const PATIENCE = 15 * 60_000
/** Characters of the longest line of the process. */
const LINE_LIMIT = 1024 * 1024

/** What the parent does meanwhile. */
export interface TaskEvents {
  progress(text: string): void
  account(account: Extract<FromProcess, { type: 'account' }>): void
  setUp(challenge: ChallengeMessage['challenge']): Promise<void>
  tearDown(challenge: ChallengeMessage['challenge']): Promise<void>
}

/** The last message of a task. */
export type TaskResult = Extract<FromProcess, { type: 'chain' | 'window' | 'failed' }>

/** This file, or the file of the module that it has become part of. */
const SELF = import.meta.url

/**
 * Runs a task in a process of its own. It inherits no environment, and Node lets it write no files, start no programs,
 * and read nothing but the module's file.
 */
export function askProcess(task: Task, events: TaskEvents, signal: AbortSignal): Promise<TaskResult> {
  const file = fileURLToPath(SELF)
  const isBuilt = file.endsWith('.mjs')
  const entry = isBuilt ? SELF : new URL('./acme-process.ts', SELF).href
  const child = spawn(
    process.execPath,
    [
      '--permission',
      `--allow-fs-read=${isBuilt ? file : '*'}`,
      '--no-warnings',
      ...(isBuilt ? [] : ['--conditions=gatewright-source']),
      '--input-type=module',
      '--eval',
      `import { runAcmeProcess } from ${JSON.stringify(entry)}; await runAcmeProcess()`,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'], env: {}, cwd: '/', timeout: PATIENCE, killSignal: 'SIGKILL', signal },
  )
  return new Promise((resolve) => {
    const failed = (message: string): void => resolve({ type: 'failed', message, problem: null, retryAfter: 0 })
    const answer = (id: number, act: Promise<void>): void => {
      const say = (error: string): void => void child.stdin.write(`${JSON.stringify({ id, error })}\n`)
      act.then(
        () => say(''),
        (error: unknown) => say(error instanceof Error ? error.message : String(error)),
      )
    }
    child.stdin.on('error', () => undefined)
    child.on('error', (error) => failed(`the ACME client could not be run: ${error.message}`))
    child.on('close', (code, killed) => failed(`the ACME client ended with ${killed ?? code}`))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = line.length > LINE_LIMIT ? undefined : parse(line)
      if (message === undefined) return
      switch (message.type) {
        case 'progress':
          return events.progress(message.text)
        case 'account':
          return events.account(message)
        case 'setUp':
          return answer(message.id, events.setUp(message.challenge))
        case 'tearDown':
          return answer(message.id, events.tearDown(message.challenge))
        default:
          resolve(message)
          child.stdin.end()
      }
    })
    child.stdin.write(`${JSON.stringify(task)}\n`)
  })
}

/** The process is not trusted: what is no object is no message. */
function parse(line: string): FromProcess | undefined {
  try {
    const message = JSON.parse(line)
    return typeof message === 'object' && message !== null ? message : undefined
  } catch {
    return undefined
  }
}
