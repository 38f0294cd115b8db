import type { ColourChoice } from './output-palette.ts'
import { sortWords, type UsageError } from './words.ts'

/** The options of `gatewright balancer`. */
export interface BalancerRequest {
  readonly verb: Verb
  /** The balancer, and what follows it. */
  readonly words: readonly string[]
  /** The server that defines the balancer; '' for any. */
  readonly server: string
  /** Seconds to wait until a member has no requests; null: do not wait. */
  readonly wait: number | null
  /** The pid file of the server; null: that of the configuration. */
  readonly pidFile: string | null
  readonly serverRoot: string | null
  readonly configFile: string | null
  readonly defines: readonly string[]
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly output: 'text' | 'json'
  readonly colour: ColourChoice
}

const VERBS = ['list', 'drain', 'disable', 'stop', 'enable', 'set'] as const
type Verb = (typeof VERBS)[number]

const OPTIONS = {
  root: { type: 'string', short: 'd' },
  file: { type: 'string', short: 'f' },
  define: { type: 'string', short: 'D', multiple: true },
  before: { type: 'string', short: 'C', multiple: true },
  after: { type: 'string', short: 'c', multiple: true },
  'pid-file': { type: 'string' },
  server: { type: 'string' },
  wait: { type: 'string' },
  json: { type: 'boolean' },
  color: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Longest time that `--wait` takes, in seconds: a day. */
const LONGEST_WAIT = 86_400

export function parseBalancerOptions(argv: readonly string[]): BalancerRequest | UsageError | 'help' {
  const sorted = sortWords(argv, OPTIONS)
  if ('complaint' in sorted) return sorted
  const { values, positionals } = sorted
  if (values.help === true) return 'help'
  const [first = 'list', ...words] = positionals
  const verb = VERBS.find((known) => known === first)
  if (verb === undefined) return { complaint: `${first} is not one of ${VERBS.join(', ')}` }
  const complaint = complaintAbout(verb, words)
  if (complaint !== null) return { complaint }
  const wait = values.wait === undefined ? null : Number(values.wait)
  if (wait !== null && (values.wait === '' || !(wait >= 0 && wait <= LONGEST_WAIT)))
    return { complaint: `--wait takes seconds, 0 to ${LONGEST_WAIT}, not ${values.wait}` }
  if (wait !== null && (verb === 'list' || verb === 'set' || verb === 'enable'))
    return { complaint: `--wait is for drain, disable and stop, not for ${verb}` }
  if (values['pid-file'] !== undefined && (values.root !== undefined || values.file !== undefined))
    return { complaint: '--pid-file replaces a configuration: omit -d and -f' }
  const color = values.color ?? 'auto'
  if (color !== 'auto' && color !== 'always' && color !== 'never')
    return { complaint: `--color takes auto, always or never, not ${color}` }
  return {
    verb,
    words,
    server: values.server ?? '',
    wait,
    pidFile: values['pid-file'] ?? null,
    serverRoot: values.root ?? null,
    configFile: values.file ?? null,
    defines: values.define ?? [],
    before: values.before ?? [],
    after: values.after ?? [],
    output: values.json === true ? 'json' : 'text',
    colour: color,
  }
}

function complaintAbout(verb: Verb, words: readonly string[]): string | null {
  if (verb === 'list') return words.length > 1 ? 'list takes one balancer, or none' : null
  if (verb !== 'set') return words.length === 2 ? null : `${verb} takes a balancer and a member`
  const settings = words.filter((word) => /^\w+=/.test(word))
  return words.length > 1 && settings.length > 0 ? null : 'set takes a balancer, a member or none, and at least one NAME=VALUE'
}

export const BALANCER_USAGE: string = `Usage: gatewright balancer [OPTION]... [list [BALANCER]]
       gatewright balancer [OPTION]... drain|disable|stop|enable BALANCER MEMBER
       gatewright balancer [OPTION]... set BALANCER [MEMBER] NAME=VALUE...

Shows the balancers of the running server, and changes them in all of its processes. Needs the user who started the server, or root.

  list      shows the members with their states and figures
  drain     a member gets only the requests of the sessions that it has
  disable   a member gets no requests
  stop      the same, and it is not tried after errors either
  enable    ends all three, and the error state
  set       changes loadfactor, lbset, route or redirect of a member; lbmethod, timeout, maxattempts, nofailover or
            stickysession of a balancer

BALANCER is its name, with or without balancer://. MEMBER is its URL, or its route if no other member has it. Requests in progress
are always finished. Changes last until the next reload, or stop, with BalancerPersist On until the server stops.

      --wait SECONDS       after drain, disable or stop: wait until the member has no requests
      --server NAME        the ServerName of the server that defines the balancer, if several define it

The server:
  -d, --root DIR           ServerRoot
  -f, --file FILE          configuration file, which names the PidFile
  -D, --define NAME        as httpd -D; also -C and -c LINE, read before and after the file
      --pid-file FILE      the PidFile of the server instead of a configuration

Output:
      --json               print JSON
      --color WHEN         auto, always or never

The exit status is 0, 1 if the server does not run, refuses the command, or the member still has requests after --wait, 2 if the
command line is wrong.`
