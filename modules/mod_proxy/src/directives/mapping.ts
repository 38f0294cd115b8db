import { type Command, contexts, type DirectiveTable, directive, type Pattern, type SetResult } from '@gatewright/api'
import type { DirectoryConfig, Mapping, ServerConfig } from '../config.ts'
import { isBalancer } from '../workers/balancer.ts'
import { splitSocket } from '../workers/proxy-url.ts'
import { workersOf } from '../workers/server-workers.ts'
import { workerParts } from '../workers/worker.ts'
import { defineBalancer, setBalancerParameters, wrongBalancerName } from './balancers.ts'
import { NamedValues } from './named-values.ts'
import { setParameter } from './worker-parameter.ts'

const PLACES = { scope: 'directory', context: ['server', 'virtualhost', 'directory'] } as const
const NAMES = 'ProxyPass|ProxyPassMatch'

/** ProxyPass, ProxyPassMatch, and the directives that map fields of responses back. */
export const mappingDirectives: DirectiveTable<DirectoryConfig, ServerConfig> = {
  ProxyPass: directive.raw({
    ...PLACES,
    help: 'a virtual path and a URL',
    set: (config: DirectoryConfig, text, command) => addMapping(config, text, command, 'prefix'),
  }),
  ProxyPassMatch: directive.raw({
    ...PLACES,
    help: 'a virtual path and a URL',
    set: (config: DirectoryConfig, text, command) => addMapping(config, text, command, 'pattern'),
  }),
  ProxyPassReverse: directive.take123({
    ...PLACES,
    help: 'a virtual path and a URL for reverse proxy behaviour',
    set: (config: DirectoryConfig, first, second, third, command) => {
      const misplaced = outsideOfLocation(command)
      if (misplaced !== undefined) return misplaced
      const path = sectionPathOf(command)
      if (path !== null) {
        if (second !== undefined && !isInterpolate(second))
          return 'ProxyPassReverse can not have a path when defined in a location'
        config.reverse = [...config.reverse, { from: path, to: first, interpolates: isInterpolate(second) }]
        return undefined
      }
      if (second === undefined || isInterpolate(second)) return 'ProxyPassReverse needs a path when not defined in a location'
      config.reverse = [...config.reverse, { from: first, to: second, interpolates: isInterpolate(third) }]
      return undefined
    },
  }),
  ProxyPassReverseCookiePath: directive.take23({
    ...PLACES,
    help: 'Path rewrite rule for proxying cookies',
    set: (config: DirectoryConfig, from, to, third) => {
      config.cookiePaths = [...config.cookiePaths, { from, to, interpolates: isInterpolate(third) }]
    },
  }),
  ProxyPassReverseCookieDomain: directive.take23({
    ...PLACES,
    help: 'Domain rewrite rule for proxying cookies',
    set: (config: DirectoryConfig, from, to, third) => {
      config.cookieDomains = [...config.cookieDomains, { from, to, interpolates: isInterpolate(third) }]
    },
  }),
  ProxyPassInterpolateEnv: directive.flag({
    ...PLACES,
    context: contexts.inServers.concat('directory'),
    help: 'Interpolate Env Vars in reverse Proxy',
    set: (config: DirectoryConfig, on) => void (config.interpolates = on),
  }),
}

function isInterpolate(word: string | undefined): boolean {
  return word !== undefined && word.toLowerCase() === 'interpolate'
}

/** Mappings belong to servers and to sections of URLs. */
function outsideOfLocation({ name, container }: Command): string | undefined {
  const around = container?.toLowerCase() ?? ''
  if (around === 'limit' || around === 'limitexcept') return `${name} cannot occur within <Limit> or <LimitExcept> section`
  if (!/^(?:directory|directorymatch|files|filesmatch|if|elseif|else)$/.test(around)) return undefined
  return `${name} cannot occur within <${container}> section`
}

/** The path of the section around the line; null at the level of a server. */
export function sectionPathOf({ section }: Command): string | null {
  return section.kind === 'server' || section.kind === 'VirtualHost' ? null : section.argument
}

interface Words {
  from: string | undefined
  to: string | undefined
  flags: Set<string>
  mapping: 'encoded' | 'servlet' | null
  readonly parameters: NamedValues
  isPattern: boolean
}

function addMapping(config: DirectoryConfig, text: string, command: Command, form: 'prefix' | 'pattern'): SetResult {
  const misplaced = outsideOfLocation(command)
  if (misplaced !== undefined) return misplaced
  const words = readWords(text, command, form)
  if (typeof words === 'string') return words
  const { from, to } = words
  if (from === undefined || to === undefined) return `${NAMES} needs a path when not defined in a location`
  const pattern = words.isPattern ? command.services.pattern(from) : null
  if (pattern !== null && 'error' in pattern) return 'Regular expression could not be compiled.'
  const { socketPath, url } = splitSocket(to, (path) => command.serverRelative(path))
  const mapping = makeMapping(words, from, url, socketPath, pattern)
  const kept = to === '!' ? mapping : defineTarget(mapping, to, words, command)
  if (typeof kept === 'string') return kept
  if (sectionPathOf(command) === null) config.mappings = [...config.mappings, kept]
  else config.mapping = kept
  return undefined
}

function readWords(text: string, command: Command, form: 'prefix' | 'pattern'): Words | string {
  const path = sectionPathOf(command)
  const words: Words = {
    from: path ?? undefined,
    to: undefined,
    flags: new Set(),
    mapping: null,
    parameters: new NamedValues(),
    // As in httpd, a section is taken for a pattern if its argument has a wildcard, whatever the section is.
    isPattern: form === 'pattern' || (path !== null && command.services.isShellPattern(path)),
  }
  for (const word of command.words(text)) {
    const lower = word.toLowerCase()
    if (words.from === undefined) {
      if (word === '~') {
        if (form === 'pattern') return "ProxyPassMatch invalid syntax ('~' usage)."
        words.isPattern = true
      } else words.from = word
    } else if (words.to === undefined) words.to = word
    else if (lower === 'nocanon' || lower === 'interpolate' || lower === 'noquery') words.flags.add(lower)
    else {
      const equals = word.indexOf('=')
      if (equals < 0) {
        return path !== null && words.to.startsWith('/')
          ? `${NAMES} can not have a path when defined in a location.`
          : `Invalid ${NAMES} parameter. Parameter must be in the form 'key=value'.`
      }
      const [name, value] = [word.slice(0, equals), word.slice(equals + 1)]
      if (name.toLowerCase() === 'mapping') {
        const kind = value.toLowerCase()
        if (kind !== 'encoded' && kind !== 'servlet') return 'unknown mapping'
        words.mapping = kind
      } else words.parameters.set(name, value)
    }
  }
  return words
}

function makeMapping(
  { flags, mapping }: Words,
  from: string,
  url: string,
  socketPath: string | null,
  pattern: Pattern | null,
): Mapping {
  return {
    from,
    to: url,
    socketPath,
    pattern,
    noCanonical: flags.has('nocanon'),
    noQuery: flags.has('noquery'),
    interpolates: flags.has('interpolate'),
    phase: mapping === null ? 'decoded' : 'encoded',
    isServlet: mapping === 'servlet',
    balancer: null,
    worker: null,
  }
}

/** Defines the worker or balancer of a mapping, or shares the one that serves its URL already. */
function defineTarget(mapping: Mapping, to: string, { parameters, isPattern }: Words, command: Command): Mapping | string {
  const own = workersOf(command.server)
  if (isBalancer(mapping.to)) {
    const wrong = wrongBalancerName(mapping.to)
    if (wrong !== undefined) return `ProxyPass ${wrong}`
    const balancer = defineBalancer(own, mapping.to, command)
    const problem = setBalancerParameters(balancer, parameters.list, command)
    return problem === undefined ? { ...mapping, balancer } : `ProxyPass ${problem}`
  }
  const parts = workerParts(to, (path) => command.serverRelative(path))
  if ('error' in parts) return `ProxyPass ${parts.error}`
  const kind = isPattern ? 'pattern' : 'prefix'
  const shared = own.find(parts.name, parts.socketPath, kind)
  const worker = shared ?? own.define(parts, command.section, kind)
  for (const [name, value] of parameters.list) {
    if (shared !== null) {
      const text = `Ignoring parameter '${name}=${value}' for worker '${worker.name}' because of worker sharing`
      command.report('warn', 'AH01146', text)
      continue
    }
    const problem = setParameter(worker, name, value, command)
    if (problem !== undefined) return `ProxyPass ${problem}`
  }
  return { ...mapping, worker }
}
