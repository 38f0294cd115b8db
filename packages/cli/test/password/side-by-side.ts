import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { byteArguments } from '../../src/argument-bytes.ts'
import type { ToolConsole } from '../../src/tool-console.ts'

/** The result of a run of a password tool; bytes, one character each. */
export interface Outcome {
  readonly status: number | null
  readonly out: string
  readonly err: string
  /** Content of the file `f`, null if there is none. */
  readonly file: string | null
}

export interface Run {
  readonly args: readonly string[]
  /** Content of the file `f` before the run, null for none. */
  readonly file: string | null
  readonly input: string
}

export type Tool = (argv: readonly string[], console: ToolConsole) => Promise<number>

/** Without a terminal: otherwise httpd's programs prompt there instead of reading their input. */
const DETACHED = ['setsid', '--wait'] as const

/** False if a test can run the program, otherwise the reason why it must be skipped. */
export function whyMissing(program: string): string | false {
  const { error, status } = spawnSync(DETACHED[0], [DETACHED[1], program])
  return (error !== undefined || status === 127) && `${program} is not installed, or setsid is not`
}

/** Runs httpd's program in a new folder below `root`. */
export function runReal(root: string, program: string, run: Run): Outcome {
  const folder = prepare(root, run)
  const { status, stdout, stderr } = spawnSync(DETACHED[0], [DETACHED[1], program, ...run.args], {
    cwd: folder,
    input: Buffer.from(run.input, 'latin1'),
    timeout: 300_000,
  })
  return { status, out: stdout.toString('latin1'), err: stderr.toString('latin1'), file: content(folder) }
}

/**
 * Runs our program in a new folder below `root`, in this process; a line of the input answers each prompt.
 */
export async function runOurs(root: string, tool: Tool, run: Run): Promise<Outcome> {
  const folder = prepare(root, run)
  let [out, err, rest] = ['', '', run.input]
  const before = process.cwd()
  process.chdir(folder)
  try {
    const status = await tool(byteArguments(run.args), {
      out: (text) => {
        out += text
      },
      err: (text) => {
        err += text
      },
      ask: async (prompt) => {
        err += prompt
        const end = rest.indexOf('\n')
        const line = end < 0 ? rest : rest.slice(0, end)
        rest = end < 0 ? '' : rest.slice(end + 1)
        return line
      },
      readInput: (most) => Buffer.from(rest, 'latin1').subarray(0, most),
    })
    return { status, out, err, file: content(folder) }
  } finally {
    process.chdir(before)
  }
}

function prepare(root: string, run: Run): string {
  const folder = mkdtempSync(join(root, 'run-'))
  if (run.file !== null) writeFileSync(join(folder, 'f'), run.file, 'latin1')
  return folder
}

function content(folder: string): string | null {
  try {
    return readFileSync(join(folder, 'f'), 'latin1')
  } catch {
    return null
  }
}
