import { type Command, directive, type SetResult } from '@gatewright/api'
import { internals } from '../../config/command-impl.ts'
import type { MutexSettings } from '../../model/process-config.ts'
import { type CoreTable, GLOBAL } from './types.ts'

/** Mutex: its lines are checked and printed as httpd does, although this server has no mutexes. */
export const mutexDirectives: CoreTable = {
  Mutex: directive.argv({
    scope: 'server',
    context: GLOBAL,
    help: 'this server does not use mutexes',
    effect: 'none',
    set: (_config, words, command) => setMutex(words, command),
  }),
}

/** The types of mutexes that httpd's modules register, by module. */
const TYPES: ReadonlyMap<string, readonly string[]> = new Map([
  ['watchdog_module', ['watchdog-callback']],
  ['ssl_module', ['ssl-cache', 'ssl-stapling', 'ssl-stapling-refresh']],
  ['rewrite_module', ['rewrite-map']],
  ['authn_socache_module', ['authn-socache']],
  ['auth_digest_module', ['authdigest-client']],
  ['proxy_module', ['proxy']],
  ['proxy_balancer_module', ['proxy-balancer-shm']],
])

/** The types that loaded modules register, in their order. @param modules identifiers (`ssl_module`) */
export function mutexTypes(modules: readonly string[]): readonly string[] {
  return modules.flatMap((name) => TYPES.get(name) ?? [])
}

/** The name of each mechanism in dumps. */
const MECHANISMS: ReadonlyMap<string, string> = new Map([
  ['none', 'none'],
  ['no', 'none'],
  ['default', 'default'],
  ['yes', 'default'],
  ['flock', 'flock'],
  ['fcntl', 'fcntl'],
  ['file', 'fcntl'],
  ['pthread', 'pthread'],
  ['sysvsem', 'sysvsem'],
  ['posixsem', 'posixsem'],
  ['sem', 'posixsem'],
])
/** Mechanisms that use files: a folder may follow after a colon. */
const FILE_MECHANISMS: ReadonlySet<string> = new Set(['flock', 'fcntl', 'file'])
const MECHANISM_HELP =
  "(Mutex mechanisms are: 'none', 'default', 'flock:/path/to/file', 'fcntl:/path/to/file', 'file:/path/to/file', 'pthread', 'sysvsem', 'posixsem', 'sem')"

function setMutex(words: readonly string[], command: Command): SetResult {
  const [argument, ...types] = words
  if (argument === undefined || argument === '') return `Mutex requires at least a mechanism argument ${MECHANISM_HELP}`
  const colon = argument.indexOf(':')
  const name = (colon < 0 ? argument : argument.slice(0, colon)).toLowerCase()
  const mechanism = MECHANISMS.get(name)
  if (mechanism === undefined) return `Invalid Mutex argument ${argument} ${MECHANISM_HELP}`
  const { configuration } = internals(command).context
  let folder: string | null = null
  if (colon >= 0 && FILE_MECHANISMS.has(name)) {
    folder = configuration.serverRelative(argument.slice(colon + 1))
    if (configuration.options.source.kind(folder) !== 'directory') return `Invalid Mutex directory in argument ${argument}`
  }
  const omitsPid = types.some((type) => type.toLowerCase() === 'omitpid')
  const named = types.filter((type) => type.toLowerCase() !== 'omitpid')
  // None is not a valid mechanism for any type of mutex.
  if (mechanism === 'none') return `None is not allowed for mutex type ${named[0] ?? 'default'}`
  const { mutexes } = configuration.process
  const settings: MutexSettings = { mechanism, folder, usesFiles: FILE_MECHANISMS.has(name), omitsPid }
  const known = mutexTypes(configuration.registry.modules.map(({ module }) => module.name))
  for (const type of named.length === 0 ? ['default'] : named) {
    if (type !== 'default' && !known.includes(type)) return `Mutex type ${type} is not valid`
    const former = type === 'default' ? (mutexes.get('default')?.folder ?? null) : null
    mutexes.set(type, { ...settings, folder: folder ?? former })
  }
  return undefined
}
