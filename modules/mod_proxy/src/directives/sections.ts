import { type Command, contexts, type DirectiveTable, directive, isCommandError, type SetResult } from '@gatewright/api'
import type { DirectoryConfig, ServerConfig } from '../config.ts'
import { isBalancer } from '../workers/balancer.ts'
import { findWorker, workersOf } from '../workers/server-workers.ts'
import { Worker, workerParts } from '../workers/worker.ts'
import { defineBalancer, setBalancerParameters, wrongBalancerName } from './balancers.ts'
import { sectionPathOf } from './mapping.ts'
import { NamedValues } from './named-values.ts'
import { setParameter } from './worker-parameter.ts'

type Parameters = readonly (readonly [name: string, value: string])[]

/** `<Proxy>`, `<ProxyMatch>`, and what sets workers and balancers in and outside of them. */
export const sectionDirectives: DirectiveTable<DirectoryConfig, ServerConfig> = {
  '<Proxy': directive.section({
    scope: 'server',
    context: contexts.inServers,
    help: 'Container for directives affecting resources located in the proxied location',
    set: (config: ServerConfig, text, command) => addSection(config, text, command),
  }),
  '<ProxyMatch': directive.section({
    scope: 'server',
    context: contexts.inServers,
    help: 'Container for directives affecting resources located in the proxied location, in regular expression syntax',
    set: (config: ServerConfig, text, command) => addPatternSection(config, text, command),
  }),
  ProxySet: directive.raw({
    scope: 'directory',
    context: ['server', 'virtualhost', 'directory'],
    help: 'A balancer or worker name with list of params',
    set: (_config: DirectoryConfig, text, command) => proxySet(text, command),
  }),
  BalancerMember: directive.raw({
    scope: 'directory',
    context: ['server', 'virtualhost', 'directory'],
    help: 'A balancer name and scheme with list of params',
    set: (_config: DirectoryConfig, text, command) => addMember(text, command),
  }),
}

function addSection(config: ServerConfig, text: string, command: Command): SetResult {
  const opening = argumentOf(text)
  if (opening === null) return "<Proxy> directive missing closing '>'"
  const [word = '', ...rest] = command.words(opening)
  const isPlain = !command.services.isShellPattern(word)
  const section = command.walkSection('Proxy', word)
  if (isCommandError(section)) return section
  const wildcard = isPlain ? null : command.services.shellPattern(word)
  config.sections = [...config.sections, { section, prefix: word, wildcard, pattern: null }]
  if (rest.length === 0) return undefined
  if (!isPlain) return '<Proxy> arguments are not supported for wildchar url.'
  if (!word.includes(':')) return '<Proxy> arguments are not supported for non url.'
  const parameters = pairs(rest)
  if (parameters === null) return "Invalid Proxy parameter. Parameter must be in the form 'key=value'"
  return configure(word, parameters, command, { prefix: '<Proxy ', defines: true })
}

function addPatternSection(config: ServerConfig, text: string, command: Command): SetResult {
  const opening = argumentOf(text)
  if (opening === null) return "<ProxyMatch> directive missing closing '>'"
  const [word = '', ...rest] = command.words(opening)
  const pattern = command.services.pattern(word)
  if ('error' in pattern) return 'Regex could not be compiled'
  const section = command.walkSection('ProxyMatch', word)
  if (isCommandError(section)) return section
  if (rest.length > 0) return 'Multiple <ProxyMatch> arguments not (yet) supported.'
  config.sections = [...config.sections, { section, prefix: word, wildcard: null, pattern }]
  return undefined
}

function argumentOf(text: string): string | null {
  const close = text.lastIndexOf('>')
  return close < 0 ? null : text.slice(0, close)
}

function pairs(words: readonly string[]): Parameters | null {
  const found: [string, string][] = []
  for (const word of words) {
    const equals = word.indexOf('=')
    if (equals < 0) return null
    found.push([word.slice(0, equals), word.slice(equals + 1)])
  }
  return found
}

/** Before what is wrong with the URL of ProxySet. */
const PROXY_SET = 'ProxySet '

/** Sets parameters of the worker or balancer that a URL names. */
function configure(
  url: string,
  parameters: Parameters,
  command: Command,
  { prefix, defines }: { readonly prefix: string; readonly defines: boolean },
): string | undefined {
  const own = workersOf(command.server)
  if (isBalancer(url)) {
    const balancer = defines ? defineBalancer(own, url, command) : own.balancer(url)
    if (balancer === null) return `ProxySet can not find '${url}' Balancer.`
    for (const [name, value] of parameters) {
      const problem = setBalancerParameters(balancer, [[name, value]], command)
      if (problem !== undefined) return `${prefix}${problem} ${name}=${value}; ${url}`
    }
    return undefined
  }
  const parts = workerParts(url, (path) => command.serverRelative(path))
  if ('error' in parts && defines) return prefix === PROXY_SET ? `${prefix}${parts.error}` : `${prefix}${parts.error} ${url}`
  const known = 'error' in parts ? null : own.find(parts.name, parts.socketPath)
  const worker = known ?? (defines && !('error' in parts) ? own.define(parts, command.section, 'prefix') : null)
  if (worker === null) return `ProxySet can not find '${url}' Worker.`
  for (const [name, value] of parameters) {
    const problem = setParameter(worker, name, value, command)
    if (problem !== undefined) return `${prefix}${problem} ${name}=${value}; ${url}`
  }
  return undefined
}

function proxySet(text: string, command: Command): SetResult {
  const words = command.words(text)
  const path = /^proxy/i.test(command.container ?? '') ? sectionPathOf(command) : null
  const url = path ?? words.shift() ?? ''
  // A <Proxy> section with a URL defines what it sets; the URL comes before what is wrong with the parameters.
  const defines = path !== null
  const unusable = configure(url, [], command, { prefix: PROXY_SET, defines })
  if (unusable !== undefined) return unusable
  for (const word of words) {
    const pair = pairs([word])
    if (pair === null) return "Invalid ProxySet parameter. Parameter must be in the form 'key=value'"
    const problem = configure(url, pair, command, { prefix: 'ProxySet: ', defines })
    if (problem !== undefined) return problem
  }
  return undefined
}

/** The words of BalancerMember: as in httpd, parameters can be anywhere among the names. */
function memberWords(
  text: string,
  command: Command,
): { readonly balancer: string; readonly member: string; readonly parameters: Parameters } | string {
  const path = sectionPathOf(command)
  const names: string[] = path === null ? [] : [path]
  const parameters = new NamedValues()
  for (const word of command.words(text)) {
    const pair = pairs([word])
    if (pair !== null) parameters.set(...pair[0])
    else if (names.length < 2) names.push(word)
    else if (path !== null) return 'BalancerMember can not have a balancer name when defined in a location'
    else return "Invalid BalancerMember parameter. Parameter must be in the form 'key=value'"
  }
  const [balancer, member] = names
  if (balancer === undefined) return 'BalancerMember must define balancer name when outside <Proxy > section'
  if (member === undefined) return 'BalancerMember must define remote proxy server'
  const wrong = wrongBalancerName(balancer.toLowerCase())
  if (wrong !== undefined) return `BalancerMember ${wrong}`
  return { balancer, member, parameters: parameters.list }
}

function addMember(text: string, command: Command): SetResult {
  const words = memberWords(text, command)
  if (typeof words === 'string') return words
  const { balancer: balancerUrl, member: memberUrl, parameters } = words
  const parts = workerParts(memberUrl, (given) => command.serverRelative(given))
  if ('error' in parts) return `BalancerMember ${parts.error}`
  const balancer = defineBalancer(workersOf(command.server), balancerUrl, command)
  const known = findWorker(balancer.members, parts.name, parts.socketPath)
  const worker = known ?? new Worker(parts, command.section, 'member')
  if (known === null) balancer.members.push(worker)
  for (const [key, value] of parameters) {
    if (known !== null) {
      const line = `Ignoring parameter '${key}=${value}' for worker '${worker.name}' because of worker sharing`
      command.report('warn', 'AH01150', line)
      continue
    }
    const problem = setParameter(worker, key, value, command)
    if (problem !== undefined) return `BalancerMember ${problem}`
  }
  return undefined
}
