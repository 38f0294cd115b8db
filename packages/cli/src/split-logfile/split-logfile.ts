import { closeSync, openSync, writeSync } from 'node:fs'
import { inputLines } from '../input-lines.ts'
import type { ToolConsole } from '../tool-console.ts'

/** Lines without a name of a host, and with one that is no file name, are written here. */
const DEFAULT_NAME = 'access'
/** Files that are open at once; a log may name more hosts than a process may open files. */
const MOST_OPEN = 100
/** The longest file name of Linux, without `.log`. */
const LONGEST_NAME = 251
/** Lines for one file are written together, up to this many characters. */
const BATCH = 64 * 1024

const SYNOPSIS = `Usage: split-logfile < access_log

Divides a log into one file for each virtual host: the first word of a line is the host, as %v in a LogFormat writes it, and the
rest of the line is appended to HOST.log in the current folder.
`

/**
 * split-logfile's command line.
 * @param argv bytes, one character each
 * @returns the exit status
 */
export function splitLogfile(argv: readonly string[], console: ToolConsole): number {
  if (argv.length > 0) {
    console.err(`split-logfile: there are no options\n${SYNOPSIS}`)
    return 1
  }
  const logs = new HostLogs()
  try {
    for (const line of inputLines(console)) {
      const [host] = /^[^\s]*/.exec(line) ?? ['']
      logs.append(nameFor(host), line.slice(host.length).replace(/^\s+/, ''))
    }
    logs.close()
    return 0
  } catch (error) {
    console.err(`split-logfile: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

function nameFor(host: string): string {
  const name = host.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  return name === '' || name.length > LONGEST_NAME || /[/\\\0]/.test(name) ? DEFAULT_NAME : name
}

interface OpenLog {
  readonly descriptor: number
  text: string
}

/** The files of hosts, of which those that were used last are open. */
class HostLogs {
  /** In the order of their last use. */
  readonly #open = new Map<string, OpenLog>()

  append(name: string, text: string): void {
    const log = this.#open.get(name) ?? this.#openLog(name)
    this.#open.delete(name)
    this.#open.set(name, log)
    log.text += text
    if (log.text.length >= BATCH) flush(log)
  }

  close(): void {
    for (const name of [...this.#open.keys()]) this.#close(name)
  }

  #openLog(name: string): OpenLog {
    if (this.#open.size >= MOST_OPEN) {
      const [oldest] = this.#open.keys()
      this.#close(oldest)
    }
    return { descriptor: openSync(Buffer.from(`${name}.log`, 'latin1'), 'a'), text: '' }
  }

  #close(name: string): void {
    const log = this.#open.get(name)
    if (log === undefined) return
    this.#open.delete(name)
    flush(log)
    closeSync(log.descriptor)
  }
}

function flush(log: OpenLog): void {
  let rest = Buffer.from(log.text, 'latin1')
  while (rest.length > 0) rest = rest.subarray(writeSync(log.descriptor, rest))
  log.text = ''
}
