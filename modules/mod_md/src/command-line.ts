import { spawn } from 'node:child_process'

/** A program with arguments, as configured. */
export interface CommandLine {
  /** For messages. */
  readonly text: string
  readonly words: readonly string[]
}

/** Milliseconds after which a program is ended. httpd waits without a limit. */
const PATIENCE = 10 * 60_000

/**
 * Runs a program with more arguments; no shell takes part. Its output is discarded, its error output is that of the
 * server.
 * @returns its exit status; -1 when it could not be run, or did not end in time
 */
export function run({ words }: CommandLine, more: readonly string[], patience: number = PATIENCE): Promise<number> {
  const [program, ...first] = words
  return new Promise((resolve) => {
    if (program === undefined) return resolve(-1)
    const child = spawn(program, [...first, ...more], {
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: patience,
      killSignal: 'SIGKILL',
    })
    child.on('error', () => resolve(-1))
    child.on('exit', (code) => resolve(code ?? -1))
  })
}
