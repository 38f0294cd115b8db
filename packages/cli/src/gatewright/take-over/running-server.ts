import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

/** A running Apache httpd, as the system describes its process. */
export interface RunningServer {
  readonly pid: number
  readonly executable: string
  /** Its options, without the name of the program and without `-k VERB`. */
  readonly words: readonly string[]
  /** What its configuration may refer to: variables that begin with APACHE_, and PATH. */
  readonly environment: Readonly<Record<string, string>>
  /** The systemd unit that it belongs to; null if none started it. */
  readonly unit: string | null
}

/** The names of the program in distributions. */
const PROGRAMS = ['apache2', 'httpd']

/** @returns the server of a pid file, or why there is none */
export function runningServer(pidFile: string): RunningServer | { readonly message: string; readonly hint: string } {
  try {
    const pid = Number(readFileSync(pidFile, 'latin1').trim())
    if (!Number.isSafeInteger(pid) || pid < 2)
      return { message: `${pidFile} contains no process ID`, hint: 'name the PidFile of the server' }
    const executable = readlinkSync(`/proc/${pid}/exe`)
    if (!PROGRAMS.includes(basename(executable)))
      return {
        message: `process ${pid} of ${pidFile} is ${executable}, not Apache httpd`,
        hint: 'name the PidFile of the server',
      }
    return {
      pid,
      executable,
      words: withoutVerb(fieldsOf(`/proc/${pid}/cmdline`).slice(1)),
      environment: relevant(fieldsOf(`/proc/${pid}/environ`)),
      unit: /\/([\w@.-]+\.service)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[1] ?? null,
    }
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    return {
      message: `no running server was found: ${cause}`,
      hint: 'start it, or name its PidFile; reading its process needs its user, or root',
    }
  }
}

function fieldsOf(file: string): string[] {
  return readFileSync(file, 'utf8').split('\0').slice(0, -1)
}

function withoutVerb(words: readonly string[]): string[] {
  return words.filter((word, at) => word !== '-k' && words[at - 1] !== '-k')
}

function relevant(variables: readonly string[]): Record<string, string> {
  const pairs = variables.map((line): [string, string] => [line.replace(/=.*/s, ''), line.replace(/^[^=]*=/, '')])
  return Object.fromEntries(pairs.filter(([name]) => name.startsWith('APACHE_') || name === 'PATH'))
}
