import { getopt, optionComplaint } from '../getopt.ts'

/** The command line of logresolve. */
export interface LogresolveOptions {
  /** Where figures are written; null for nowhere. */
  readonly statistics: string | null
  /** Whether a name counts only if the address is one of its own. */
  readonly looksUpTwice: boolean
}

const USAGE = `logresolve -- Resolve IP-addresses to hostnames in Apache log files.
Usage: logresolve [-s STATFILE] [-c]

Options:
  -s   Write figures to STATFILE at the end.

  -c   Look up the addresses of each name, and use the name only if the address is one of them.

`

/**
 * Parses a command line of logresolve.
 * @param argv bytes, one character each
 * @returns a message if it is invalid
 */
export function parseLogresolveOptions(argv: readonly string[]): LogresolveOptions | string {
  let statistics: string | null = null
  let looksUpTwice = false
  for (const option of getopt(argv, 's:c').options) {
    if ('problem' in option) {
      return `${optionComplaint('logresolve', option)}\n${USAGE}`
    }
    if (option.letter === 's') statistics = option.value
    else looksUpTwice = true
  }
  return { statistics, looksUpTwice }
}
