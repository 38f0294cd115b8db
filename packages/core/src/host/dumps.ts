import { readFileSync } from 'node:fs'
import { HOOK_RULES, type ServerAddress } from '@gatewright/api'
import { describePlace } from '../base/context-bits.ts'
import { helpOf } from '../base/directive-help.ts'
import type { BoundConfiguration, ServerView } from './bound-configuration.ts'

/** -M: modules in load order. */
export function dumpModules(configuration: BoundConfiguration): string[] {
  return ['Loaded Modules:', ...configuration.modules.map(({ name, builtIn }) => ` ${name} (${builtIn ? 'static' : 'shared'})`)]
}

/** -D DUMP_CAPABILITIES: what each module of a file declares to use beyond the API. A declaration is not a sandbox. */
export function dumpCapabilities(configuration: BoundConfiguration): string[] {
  const shared = configuration.modules.filter(({ builtIn }) => !builtIn)
  return ['Declared capabilities:', ...shared.map(({ name, capabilities }) => ` ${name} ${capabilities.join(' ') || 'none'}`)]
}

/**
 * -D DUMP_HOOKS: the modules with functions in each hook, in the order in which they run, with httpd's
 * numbers of their ranks. Empty hooks are omitted. The last line shows what access decisions depend on.
 */
export function dumpHooks(configuration: BoundConfiguration): string[] {
  const lines = configuration.hooksInOrder().flatMap(({ name, functions }) => {
    if (functions.length === 0) return []
    return [` ${name} (${HOOK_RULES[name]})`, ...functions.map(({ source, rank }) => `  ${String(rank).padStart(3)} ${source}`)]
  })
  const deciding = configuration.decidingByRequest()
  const basis = deciding.length === 0 ? 'by configuration' : `by request (${deciding.join(', ')})`
  return ['Hooks:', ...lines, `Access decided: ${basis}`]
}

/** -D DUMP_INCLUDES: the main file and the included files, with the lines that include them. */
export function dumpIncludes(configuration: BoundConfiguration): string[] {
  const lines = configuration.includes.map(
    ({ path, from, depth }) => `${'  '.repeat(depth + 1)}(${from === null ? '*' : from.line}) ${path}`,
  )
  return ['Included configuration files:', ...lines]
}

/** -L: every directive with its contexts and its help. */
export function listDirectives(configuration: BoundConfiguration): string[] {
  const lines: string[] = []
  for (const { source, directives } of configuration.modules) {
    for (const [name, spec] of Object.entries(directives)) {
      const place = describePlace(spec).split('\n')
      lines.push(`${spec.declaredAs ?? name} (${source})`, `\t${helpOf(spec) ?? ''}`, `\t${place[0]}`, ...place.slice(1))
    }
  }
  return lines
}

/** -D DUMP_RUN_CFG */
export function dumpRunConfig(configuration: BoundConfiguration): string[] {
  const { plan } = configuration
  const lines = [
    `ServerRoot: "${configuration.serverRoot}"`,
    `Main DocumentRoot: "${configuration.main.documentRoot}"`,
    `Main ErrorLog: "${plan.errorLog}"`,
    ...configuration.mutexLines(),
    `PidFile: "${plan.pidFile}"`,
  ]
  for (const [name, value] of configuration.defines) lines.push(`Define: ${name}${value === undefined ? '' : `=${value}`}`)
  if (plan.user !== null && plan.user !== '#-1') lines.push(`User: ${owner(plan.user, '/etc/passwd')}`)
  if (plan.group !== null && plan.group !== '#-1') lines.push(`Group: ${owner(plan.group, '/etc/group')}`)
  return lines
}

/** Name and number of User or Group; the number is omitted if the system's file does not contain the name. */
function owner(name: string, file: string): string {
  const number = name.startsWith('#') ? name.slice(1) : numberIn(file, name)
  const used = process.geteuid?.() === 0 ? '' : ' not_used'
  return `name="${name}"${number === undefined ? '' : ` id=${number}`}${used}`
}

/** The third field of the line `name:password:number:...`. */
function numberIn(file: string, name: string): string | undefined {
  try {
    const lines = readFileSync(file, 'latin1').split('\n')
    return lines.find((line) => line.startsWith(`${name}:`))?.split(':')[2]
  } catch {
    return undefined
  }
}

/** Addresses are padded to this column. */
const COLUMN = 22

/** -D DUMP_VHOSTS: exact addresses first, latest first as in httpd's chains, then `*`. */
export function dumpVirtualHosts(configuration: BoundConfiguration): string[] {
  const { virtualHosts } = configuration
  const lines = ['VirtualHost configuration:']
  const sets = new Map<string, { readonly address: ServerAddress; readonly hosts: ServerView[] }>()
  for (const host of virtualHosts) {
    for (const address of host.addresses) {
      const key = title(address)
      const set = sets.get(key)
      if (set === undefined) sets.set(key, { address, hosts: [host] })
      else if (!set.hosts.includes(host)) set.hosts.push(host)
    }
  }
  const all = [...sets.values()]
  const exact = all.filter(({ address }) => address.address !== '*').reverse()
  const any = all.filter(({ address }) => address.address === '*')
  for (const { address, hosts } of [...exact, ...any]) lines.push(...dumpSet(address, hosts))
  return lines
}

function title({ address, port }: ServerAddress): string {
  const shown = address.includes(':') ? `[${address}]` : address
  return `${shown}:${port === 0 ? '*' : port}`
}

function dumpSet(address: ServerAddress, hosts: readonly ServerView[]): string[] {
  const place = ({ file, line }: ServerView): string => `(${file}:${line})`
  const [first] = hosts
  if (hosts.length === 1) return [`${title(address).padEnd(COLUMN)} ${first.serverName} ${place(first)}`]
  const port = address.port === 0 ? '*' : String(address.port)
  return [
    `${title(address).padEnd(COLUMN)} is a NameVirtualHost`,
    `         default server ${first.serverName} ${place(first)}`,
    ...hosts.flatMap((host) => [`         port ${port} namevhost ${host.serverName} ${place(host)}`, ...names(host, 17)]),
  ]
}

function names({ core }: ServerView, indent: number): string[] {
  const blank = ' '.repeat(indent)
  return [
    ...core.serverAliases.map((name) => `${blank}alias ${name}`),
    ...core.wildAliases.map((name) => `${blank}wild alias ${name}`),
  ]
}
