import { leadingInteger } from '@gatewright/api/text'
import { BYTE_UNITS } from '../byte-units.ts'
import { getopt, optionComplaint } from '../getopt.ts'
import { HTCACHECLEAN_USAGE } from './usage.ts'

/** The command line of htcacheclean. */
export interface HtcachecleanOptions {
  /** The folder as given; one character per byte. */
  readonly folder: string
  readonly action: 'clean' | 'list' | 'list with attributes' | 'remove'
  /** Those to remove. */
  readonly urls: readonly string[]
  readonly limits: Limits
  /** Bytes to which sizes are rounded up; 1 for none. */
  readonly round: number
  readonly dryRun: boolean
  readonly verbose: boolean
  /** The server does not run. */
  readonly thorough: boolean
  readonly removesFolders: boolean
  readonly nice: boolean
  /** Minutes between turns in the background; null for one turn. */
  readonly interval: number | null
  /** Whether a turn is skipped if nothing has changed. */
  readonly onlyAfterChanges: boolean
  readonly pidFile: string | null
}

/** How much may be stored; 0 for no limit. */
export interface Limits {
  readonly bytes: number
  readonly inodes: number
}

const UNITS = new Map([['', 1], ...BYTE_UNITS])

/**
 * Parses a command line of htcacheclean.
 * @param argv bytes, one character each
 * @returns a message if it is invalid
 */
export function parseHtcachecleanOptions(argv: readonly string[]): HtcachecleanOptions | string {
  if (argv.length === 0) return HTCACHECLEAN_USAGE
  const { options, words } = getopt(argv, 'iDnvrtd:l:L:p:P:R:aA')
  const values = new Map<string, string>()
  for (const option of options) {
    const { letter } = option
    if ('problem' in option) {
      return `${optionComplaint('htcacheclean', option)}\n${HTCACHECLEAN_USAGE}`
    }
    // Both lists are one option.
    const name = letter === 'a' ? 'A' : letter
    if (values.has(name)) return wrong(`The option '${letter}' cannot be specified more than once`)
    values.set(name, letter === 'a' ? 'short' : option.value)
  }
  return withValues(values, words)
}

function withValues(values: ReadonlyMap<string, string>, urls: readonly string[]): HtcachecleanOptions | string {
  const has = (...letters: readonly string[]): boolean => letters.some((letter) => values.has(letter))
  const bytes = limitOf(values.get('l'))
  const inodes = limitOf(values.get('L'))
  if (bytes === null) return wrong(`Invalid limit: ${values.get('l')}\n\n`)
  if (inodes === null) return wrong(`Invalid limit: ${values.get('L')}\n\n`)
  const round = leadingInteger(values.get('R') ?? '0')
  if (has('R') && !/^\s*[-+]?\d+$/.test(values.get('R') ?? '')) return wrong(`Invalid round value: ${values.get('R')}\n\n`)
  if (round < 0) return wrong(`Round value must be positive: ${values.get('R')}\n\n`)
  const interval = has('d') ? leadingInteger(values.get('d') ?? '') : null
  if (interval !== null && interval <= 0) return wrong('Option -d must be greater than zero')
  if (urls.length > 0) {
    if (has('i')) return wrong('Option -i cannot be used with URL arguments, aborting')
    if (has('d')) return wrong('Option -d cannot be used with URL arguments, aborting')
    if (has('l')) return wrong('Option -l and -L cannot be used with URL arguments, aborting')
    if (has('A')) return wrong('Option -a and -A cannot be used with URL arguments, aborting')
  }
  if (has('d') && has('v', 'r', 'D', 'A')) return wrong('Option -d cannot be used with -v, -r, -L or -D')
  if (has('i') && !has('d')) return wrong('Option -i cannot be used without -d')
  const folder = values.get('p')
  if (folder === undefined) return wrong('Option -p must be specified')
  const action = urls.length > 0 ? 'remove' : has('A') ? listOf(values) : 'clean'
  if (action === 'clean' && bytes <= 0 && inodes <= 0) {
    return wrong('At least one of option -l or -L must be greater than zero')
  }
  return {
    folder,
    action,
    urls,
    limits: { bytes: Math.max(0, bytes), inodes: Math.max(0, inodes) },
    round: Math.max(1, round),
    dryRun: has('D'),
    verbose: has('v'),
    thorough: has('r'),
    removesFolders: has('t', 'r'),
    nice: has('n'),
    interval,
    onlyAfterChanges: has('i'),
    pidFile: values.get('P') ?? null,
  }
}

function listOf(values: ReadonlyMap<string, string>): 'list' | 'list with attributes' {
  return values.get('A') === 'short' ? 'list' : 'list with attributes'
}

/** @returns null for what is no limit */
function limitOf(text: string | undefined): number | null {
  const [, number, unit] = /^\s*([-+]?\d*)([BKMG]?)$/i.exec(text ?? '') ?? []
  if (number === undefined) return null
  const limit = leadingInteger(number) * (UNITS.get(unit.toUpperCase()) ?? 1)
  return Math.abs(limit) < Number.MAX_SAFE_INTEGER ? limit : null
}

/** The message about a wrong option. */
export function wrong(complaint: string): string {
  return `htcacheclean error: ${complaint}\n${HTCACHECLEAN_USAGE}`
}
