import type { AuditedDays } from '@gatewright/policy'
import type { ColourChoice } from './output-palette.ts'
import { sortWords, type UsageError } from './words.ts'

/** The options of `gatewright audit`. */
export interface AuditRequest {
  /** Logs, `-` for standard input; empty for those of the configuration. */
  readonly logs: readonly string[]
  readonly configFile: string | null
  readonly serverRoot: string | null
  readonly defines: readonly string[]
  readonly days: AuditedDays
  /** How many clients and paths are shown for a reason. */
  readonly top: number
  readonly output: 'text' | 'json'
  readonly colour: ColourChoice
}

const OPTIONS = {
  root: { type: 'string', short: 'd' },
  file: { type: 'string', short: 'f' },
  define: { type: 'string', short: 'D', multiple: true },
  day: { type: 'string' },
  top: { type: 'string' },
  json: { type: 'boolean' },
  color: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

export function parseAuditOptions(argv: readonly string[]): AuditRequest | UsageError | 'help' {
  const words = sortWords(argv, OPTIONS)
  if ('complaint' in words) return words
  const { values, positionals } = words
  if (values.help === true) return 'help'
  const { day = 'newest', top = '10', color = 'auto' } = values
  const days = readDays(day)
  if (days === null) return { complaint: `--day takes a date such as 2026-01-31, newest or all, not ${day}` }
  if (!/^\d{1,4}$/.test(top) || Number(top) === 0) return { complaint: `--top takes a number from 1 to 9999, not ${top}` }
  if (color !== 'auto' && color !== 'always' && color !== 'never')
    return { complaint: `--color takes auto, always or never, not ${color}` }
  return {
    logs: positionals,
    configFile: values.file ?? null,
    serverRoot: values.root ?? null,
    defines: values.define ?? [],
    days,
    top: Number(top),
    output: values.json === true ? 'json' : 'text',
    colour: color,
  }
}

function readDays(word: string): AuditedDays | null {
  if (word === 'newest' || word === 'all') return word
  const isDate = /^\d{4}-\d\d-\d\d$/.test(word) && !Number.isNaN(Date.parse(word))
  return isDate ? { day: word } : null
}

export const AUDIT_USAGE = `Usage: gatewright audit [OPTION]... [LOG]...

Summarises a day of decisions about access: who was refused where by which rule, which rules never matched, and which grants rest on an address
alone. LOG is a file of AuthzAuditLog, also one compressed by gzip, or - for standard input. Without LOG, the files that the configuration
names are read.

  -d, --root DIR           ServerRoot (default: as configured, else the parent of the folder of the configuration)
  -f, --file FILE          the configuration file
  -D, --define NAME        as httpd -D
      --day DAY            a date in UTC such as 2026-01-31; newest (the last day in the logs, the default); all
      --top N              clients and paths to show for a reason (default: 10)
      --json               print JSON
      --color WHEN         auto, always or never

With LOG, the configuration is read only if -d or -f names it; without one, rules that were never asked are not known.

The exit status is 0 if there is a summary, 1 if a log or the configuration cannot be read, 2 if the command line is wrong.`
