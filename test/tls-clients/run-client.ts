import { spawn } from 'node:child_process'

/** How a client ended. */
export interface ClientRun {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a client to its end. @param input for its standard input; `null` is none @throws Error if it cannot be started */
export function runClient(
  program: string,
  words: readonly string[],
  { input = null, env = {} }: { readonly input?: string | null; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<ClientRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, NODE_OPTIONS: '', ...env } })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('latin1').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('latin1').on('data', (text: string) => {
      stderr += text
    })
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, stdout, stderr }))
    // A client that does not read it has ended.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input ?? '')
  })
}
