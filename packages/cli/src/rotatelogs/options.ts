import { leadingInteger } from '@gatewright/api/text'
import { BYTE_UNITS } from '../byte-units.ts'
import { getopt, optionComplaint } from '../getopt.ts'
import { ROTATELOGS_USAGE } from './usage.ts'

/** The command line of rotatelogs. */
export interface RotatelogsOptions {
  /** The path as written; it may contain conversions of strftime. */
  readonly logFile: string
  /** Seconds after which a new file begins; 0 for no limit. */
  readonly interval: number
  /** Bytes after which a new file begins; 0 for no limit. */
  readonly size: number
  /** Seconds that are added to UTC. */
  readonly offset: number
  readonly local: boolean
  /** Files that are used in turn; 0 if their names depend on the time. */
  readonly files: number
  /** Whether a file is emptied when it is opened. */
  readonly truncates: 'never' | 'always' | 'except the first'
  readonly opensAtStart: boolean
  readonly createsFolders: boolean
  readonly createsEmpty: boolean
  readonly echoes: boolean
  readonly verbose: boolean
  readonly link: string | null
  readonly program: string | null
}

/**
 * Parses a command line of rotatelogs.
 * @param argv bytes, one character each
 * @returns a message if it is invalid
 */
export function parseRotatelogsOptions(argv: readonly string[]): RotatelogsOptions | string {
  const { options, words } = getopt(argv, 'vlL:p:fDtTecn:')
  const values = new Map<string, string>()
  for (const option of options) {
    if ('problem' in option) {
      return `${optionComplaint('rotatelogs', option)}\n${ROTATELOGS_USAGE}`
    }
    values.set(option.letter, option.value)
  }
  const files = leadingInteger(values.get('n') ?? '0')
  if (values.has('n') && files <= 0) return 'Invalid -n argument\n'
  if (words.length < 2 || words.length > 4) return `Incorrect number of arguments\n${ROTATELOGS_USAGE}`
  const [logFile, ...limits] = words
  const limit = readLimits(limits, values.has('l'))
  if (typeof limit === 'string') return `${limit}\n${ROTATELOGS_USAGE}`
  if (files > 0 && logFile.includes('%')) return 'Cannot use -n with % in filename\n'
  return {
    logFile,
    ...limit,
    local: values.has('l'),
    files,
    truncates: values.has('t') ? 'always' : values.has('T') ? 'except the first' : 'never',
    opensAtStart: values.has('f'),
    createsFolders: values.has('D'),
    createsEmpty: values.has('c'),
    echoes: values.has('e'),
    verbose: values.has('v'),
    link: values.get('L') ?? null,
    program: values.get('p') ?? null,
  }
}

/** The words after the file: a time, a size or both, and minutes from UTC, which come last. */
function readLimits(words: readonly string[], local: boolean): Pick<RotatelogsOptions, 'interval' | 'size' | 'offset'> | string {
  const limits = { interval: 0, size: 0, offset: 0 }
  for (const [index, word] of words.entries()) {
    const unit = BYTE_UNITS.find(([letter]) => word.includes(letter))
    if (unit !== undefined) {
      if (limits.size > 0) return 'Rotation size parameter allowed only once'
      const [letter, bytes] = unit
      if (word.indexOf(letter) === word.length - 1) limits.size = leadingInteger(word) * bytes
      if (limits.size <= 0) return 'Invalid rotation size parameter'
    } else if ((limits.size > 0 || limits.interval > 0) && index === words.length - 1) {
      if (local) return 'UTC offset parameter is not valid with -l'
      limits.offset = leadingInteger(word) * 60
    } else {
      if (limits.interval > 0) return 'Rotation time parameter allowed only once'
      limits.interval = leadingInteger(word)
      if (limits.interval <= 0) return 'Invalid rotation time parameter'
    }
  }
  return limits
}
