import { closeSync, openSync } from 'node:fs'
import { systemErrorOf } from '@gatewright/dbm'
import { inputLines } from '../input-lines.ts'
import { readUpTo, type ToolConsole } from '../tool-console.ts'

const SYNOPSIS = `Usage: check_forensic [forensic log file]

Prints the requests of a log of mod_log_forensic that were begun and not ended, such as those that a process was serving when it
ended. Without a file, standard input is read.
`

/**
 * check_forensic's command line.
 * @param argv bytes, one character each
 * @returns the exit status
 */
export function checkForensic(argv: readonly string[], console: ToolConsole): number {
  if (argv.length > 1 || argv[0]?.startsWith('-')) {
    console.err(SYNOPSIS)
    return 1
  }
  if (argv.length === 0) return report(console, console)
  let descriptor: number
  try {
    descriptor = openSync(Buffer.from(argv[0], 'latin1'), 'r')
  } catch (error) {
    console.err(`check_forensic: cannot open ${argv[0]}: ${systemErrorOf(error).text}\n`)
    return 1
  }
  try {
    return report({ readInput: (most) => readUpTo(descriptor, most) }, console)
  } finally {
    closeSync(descriptor)
  }
}

function report(log: Pick<ToolConsole, 'readInput'>, { out }: ToolConsole): number {
  /** Lines of requests that have not ended, by id. */
  const begun = new Map<string, string>()
  for (const line of inputLines(log)) {
    const [id] = /^[^|\n]*/.exec(line.slice(1)) ?? ['']
    if (line.startsWith('+')) begun.set(id, line)
    else if (line.startsWith('-')) begun.delete(id)
  }
  for (const line of begun.values()) out(line.endsWith('\n') ? line : `${line}\n`)
  return 0
}
