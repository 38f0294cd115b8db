import type { AuthzProvider, Command, SetResult } from '@gatewright/api'
import type { AuthzConfig } from './config.ts'
import { Group, RequireTerm } from './decision/node.ts'
import { isAlias } from './provider-alias.ts'
import { firstWord } from './words.ts'

/**
 * `Require [not] PROVIDER [ARGUMENT...]`: compiles the line and adds it to the innermost container that is
 * open.
 */
export function addRequire(config: AuthzConfig, text: string, command: Command): SetResult {
  let { word: name, rest: argument } = firstWord(text)
  const negated = name.toLowerCase() === 'not'
  if (negated) ({ word: name, rest: argument } = firstWord(argument))

  const provider = command.services.providers.authz.get(name)
  if (provider === undefined) return `Unknown Authz provider: ${name}`
  const check = provider.parse(argument, command)
  if (typeof check !== 'function') return check

  const container = openContainer(config, command)
  if (negated && container.rule === 'any') return `negative Require directive has no effect in ${container.title} directive`
  container.add(
    new RequireTerm({
      negated,
      provider: name,
      argument,
      methods: command.limited,
      check,
      source: provider,
      hostOnly: isHostProvider(name, provider),
      owner: command.services.providers.authz.ownerOf(name),
      place: placeOf(command),
    }),
  )
  return undefined
}

/**
 * The container to which a directive adds its node: the innermost open one, or the implicit one of the
 * section.
 */
export function openContainer(config: AuthzConfig, command: Command): Group {
  if (config.open !== null) return config.open
  config.root ??= new Group({ rule: 'any', negated: false, place: placeOf(command) })
  return config.root
}

export function placeOf({ file, line, section }: Command): Group['place'] {
  return { file, line, section }
}

const HOST_PROVIDERS: ReadonlySet<string> = new Set(['all', 'ip', 'host', 'forward-dns', 'local'])

/**
 * Whether a provider depends only on the client's host. An alias named `ip` may have another meaning, so no
 * alias counts.
 */
function isHostProvider(name: string, provider: AuthzProvider): boolean {
  return HOST_PROVIDERS.has(name) && !isAlias(provider)
}
