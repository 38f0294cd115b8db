import { LOG_LEVELS, type LogLevelName } from '@gatewright/api'
import { type FoundOption, getopt } from './getopt.ts'

/** The action of -k. */
export type Verb = 'start' | 'stop' | 'restart' | 'graceful' | 'graceful-stop' | 'upgrade'

/** The command line of httpd. Paths are as written. */
export interface HttpdOptions {
  readonly defines: readonly string[]
  readonly serverRoot: string | null
  readonly configFile: string | null
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** -e */
  readonly startupLevel: LogLevelName
  /** -E */
  readonly startupLog: string | null
  readonly verb: Verb | null
  /** -V */
  readonly showSettings: boolean
  /** -L */
  readonly listDirectives: boolean
  /** --json, with -L: prints data. */
  readonly listAsData: boolean
  /** -t */
  readonly checkOnly: boolean
  /** -T */
  readonly skipDocumentRootCheck: boolean
  /**
   * --htaccess: folders whose .htaccess files are checked as well; empty for all that are served, null for
   * none.
   */
  readonly htaccess: readonly string[] | null
  /** --lint, with --json as data: also checks access rules; null if absent. */
  readonly lint: 'text' | 'json' | null
  /** -X */
  readonly onlyOneWorker: boolean
  /** --inspect, with -X: the port of this machine on which a debugger reaches the worker, 0 for any; null if absent. */
  readonly inspectPort: number | null
  /** The options in a uniform format, `-D NAME` for `-DNAME`, without -k, as logged by AH00094. */
  readonly normalised: string
}

/** The action of a command line. -v, -l and -h take effect immediately: nothing after them is parsed. */
export type Request =
  | { readonly kind: 'run'; readonly options: HttpdOptions }
  | { readonly kind: 'version' }
  | { readonly kind: 'compiled in' }
  /** `complaint` comes before the usage, null for the usage alone. */
  | { readonly kind: 'usage'; readonly complaint: string | null; readonly hint?: string }

const LETTERS = 'D:C:c:d:f:k:e:E:vVhlLtTSMX'
const VERBS: readonly Verb[] = ['start', 'stop', 'restart', 'graceful', 'graceful-stop', 'upgrade']

/** Names that options define. */
const IMPLIED_DEFINES: Readonly<Record<string, readonly string[]>> = {
  S: ['DUMP_VHOSTS', 'DUMP_RUN_CFG'],
  M: ['DUMP_MODULES'],
  X: ['DEBUG'],
}

/** Parses a command line of httpd. @param argv without the program's name */
export function parseOptions(argv: readonly string[]): Request {
  const { rest: others, port } = takeInspect(argv)
  if (port === 'none') return complain('--inspect takes a port, 0 to 65535: a debugger is only reachable from this machine')
  const { rest: letters, lint, isData } = takeLint(others)
  const { rest, folders } = takeHtaccess(letters)
  const { options, words } = getopt(rest, LETTERS)
  const reading = new Reading({ htaccess: folders, lint, isData, inspectPort: port })
  for (const option of options) {
    const request = reading.take(option)
    if (request !== null) return request
  }
  if (words.length > 0) return { kind: 'usage', complaint: null }
  const result = reading.result()
  if (isData && lint === null && !result.listDirectives) return complain('--json requires -L or --lint')
  // A debugger stops the process that serves and can change what it decides.
  if (port !== null && !result.onlyOneWorker) return complain('--inspect requires -X, one worker in the foreground')
  return { kind: 'run', options: result }
}

/**
 * Removes `--htaccess`, `--htaccess FOLDER` and `--htaccess=FOLDER` from a command line, because they are not
 * letters.
 */
function takeHtaccess(argv: readonly string[]): { readonly rest: readonly string[]; readonly folders: readonly string[] | null } {
  const rest: string[] = []
  const folders: string[] = []
  let isWanted = false
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index]
    if (word !== '--htaccess' && !word.startsWith('--htaccess=')) {
      rest.push(word)
      continue
    }
    isWanted = true
    if (word !== '--htaccess') folders.push(word.slice('--htaccess='.length))
    else if (argv[index + 1]?.startsWith('-') === false) folders.push(argv[++index])
  }
  return { rest, folders: isWanted ? folders : null }
}

/** The port that debuggers of Node use by default. */
const USUAL_PORT = 9229
const LAST_PORT = 65_535

/** Removes `--inspect` and `--inspect=PORT` from a command line. `none` if what follows is no port. */
function takeInspect(argv: readonly string[]): { readonly rest: readonly string[]; readonly port: number | 'none' | null } {
  const isMeant = (word: string): boolean => word === '--inspect' || word.startsWith('--inspect=')
  const word = argv.findLast(isMeant)
  if (word === undefined) return { rest: argv, port: null }
  const rest = argv.filter((each) => !isMeant(each))
  if (word === '--inspect') return { rest, port: USUAL_PORT }
  const text = word.slice('--inspect='.length)
  return { rest, port: /^\d{1,5}$/.test(text) && Number(text) <= LAST_PORT ? Number(text) : 'none' }
}

/** Removes `--lint` from a command line, and `--json`, which belongs to it or to -L. */
function takeLint(argv: readonly string[]): {
  readonly rest: readonly string[]
  readonly lint: HttpdOptions['lint']
  readonly isData: boolean
} {
  const rest = argv.filter((word) => word !== '--lint' && word !== '--json')
  const isData = argv.includes('--json')
  if (!argv.includes('--lint')) return { rest, lint: null, isData }
  return { rest, lint: isData ? 'json' : 'text', isData }
}

/** What the long options of a command line say. */
interface LongOptions extends Pick<HttpdOptions, 'htaccess' | 'lint' | 'inspectPort'> {
  readonly isData: boolean
}

/** Collects the options of a command line. */
class Reading {
  readonly #defines: string[] = []
  readonly #before: string[] = []
  readonly #after: string[] = []
  readonly #flags = new Set<string>()
  readonly #values = new Map<string, string>()
  readonly #words: string[] = []
  #level: LogLevelName = 'warn'
  #verb: Verb | null = null
  readonly #long: LongOptions

  constructor(long: LongOptions) {
    this.#long = long
  }

  /** @returns what to do immediately, or null to continue */
  take(option: FoundOption): Request | null {
    const { letter } = option
    if ('problem' in option) {
      // httpd removes -k from the line before it parses the rest. If it cannot remove it, -k is an unknown
      // option.
      const isKnown = option.problem === 'without argument' && letter !== 'k'
      if (letter === 'k') return complain('illegal option -- k', `-k takes ${VERBS.join(', ')}`)
      if (letter === '-') return complain('illegal option -- -', 'options of one letter begin with one -')
      return complain(isKnown ? `option requires an argument -- ${letter}` : `illegal option -- ${letter}`)
    }
    const { value } = option
    if (letter === 'k') return this.#takeVerb(value)
    this.#words.push(`-${letter}`, ...(value === '' ? [] : [value]))
    switch (letter) {
      case 'v':
        return { kind: 'version' }
      case 'l':
        return { kind: 'compiled in' }
      case 'h':
        return { kind: 'usage', complaint: null }
      case 'D':
        this.#defines.push(value)
        return null
      case 'C':
        this.#before.push(value)
        return null
      case 'c':
        this.#after.push(value)
        return null
      case 'e':
        return this.#takeLevel(value)
      case 'd':
      case 'f':
      case 'E':
        this.#values.set(letter, value)
        return null
      default:
        this.#flags.add(letter)
        this.#defines.push(...(IMPLIED_DEFINES[letter] ?? []))
        return null
    }
  }

  result(): HttpdOptions {
    const flags = this.#flags
    const { htaccess, lint, isData, inspectPort } = this.#long
    return {
      defines: this.#defines,
      serverRoot: this.#values.get('d') ?? null,
      configFile: this.#values.get('f') ?? null,
      before: this.#before,
      after: this.#after,
      startupLevel: this.#level,
      startupLog: this.#values.get('E') ?? null,
      verb: this.#verb,
      showSettings: flags.has('V'),
      listDirectives: flags.has('L'),
      listAsData: isData && flags.has('L'),
      checkOnly: flags.has('t') || htaccess !== null || lint !== null,
      htaccess,
      lint,
      skipDocumentRootCheck: flags.has('T'),
      onlyOneWorker: flags.has('X'),
      inspectPort,
      normalised: this.#words.join(' '),
    }
  }

  #takeVerb(value: string): Request | null {
    const verb = VERBS.find((known) => known === value)
    if (verb === undefined) return complain('illegal option -- k', `-k takes ${VERBS.join(', ')}, not ${value}`)
    if (this.#verb !== null) return complain('illegal option -- k', 'write -k once')
    this.#verb = verb
    return null
  }

  #takeLevel(value: string): Request | null {
    const level = LOG_LEVELS.find((known) => known === value.toLowerCase())
    if (level === undefined) return { kind: 'usage', complaint: null }
    this.#level = level
    return null
  }
}

function complain(complaint: string, hint?: string): Request {
  return hint === undefined ? { kind: 'usage', complaint } : { kind: 'usage', complaint, hint }
}
