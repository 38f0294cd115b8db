import {
  type Command,
  contexts,
  type DirectiveCommon,
  type DirectoryDirective,
  directive,
  type ServerDirective,
} from '@gatewright/api'
import { leadingInteger } from '@gatewright/api/text'
import type { OpenIdConfig, OpenIdServerConfig } from './config.ts'

/** Rows for servers, by what mod_auth_openidc allows. */
export const inServers: Pick<DirectiveCommon<'server'>, 'scope' | 'context'> = { scope: 'server', context: contexts.inServers }
/** Rows for sections and servers. */
export const anywhere: Pick<DirectiveCommon<'directory'>, 'scope' | 'context' | 'override'> = {
  scope: 'directory',
  context: contexts.anywhere,
  override: 'AuthConfig',
}

type Put<C, V> = (config: C, value: V) => void

/** One word, any. */
export function word(help: string, put: Put<OpenIdServerConfig, string>): ServerDirective<OpenIdServerConfig, 'take1'> {
  return directive.take1({
    ...inServers,
    help,
    set: (config: OpenIdServerConfig, text) => put(config, text),
  })
}

/** On or Off. */
export function flag(help: string, put: Put<OpenIdServerConfig, boolean>): ServerDirective<OpenIdServerConfig, 'flag'> {
  return directive.flag({ ...inServers, help, set: (config: OpenIdServerConfig, on) => put(config, on) })
}

/** A whole number within limits. */
export function number(
  help: string,
  [least, most]: readonly [number, number],
  put: Put<OpenIdServerConfig, number>,
): ServerDirective<OpenIdServerConfig, 'take1'> {
  return directive.take1({
    ...inServers,
    help,
    set: (config: OpenIdServerConfig, text, { name }) => {
      const value = /^\d{1,9}$/.test(text) ? leadingInteger(text) : -1
      if (value < least || value > most) return `${name} must be a number from ${least} to ${most}, not '${text}'`
      put(config, value)
      return undefined
    },
  })
}

/** A URL of the provider. Whether http:// will do is known when all directives are. */
export function url(help: string, put: Put<OpenIdServerConfig, URL>): ServerDirective<OpenIdServerConfig, 'take1'> {
  return directive.take1({
    ...inServers,
    help,
    set: (config: OpenIdServerConfig, text, { name }) => {
      const parsed = URL.parse(text)
      if (parsed === null || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) {
        return `${name}: '${text}' is not a URL that begins with https:// or http://`
      }
      if (parsed.username !== '' || parsed.password !== '' || parsed.hash !== '') {
        return `${name} must not contain a user, a password or a fragment`
      }
      put(config, parsed)
      return undefined
    },
  })
}

/** Words of a list, each of which replaces nothing. */
export function words(
  help: string,
  known: readonly string[] | null,
  put: Put<OpenIdServerConfig, ReadonlySet<string>>,
): ServerDirective<OpenIdServerConfig, 'argv'> {
  return directive.argv({
    ...inServers,
    help,
    set: (config: OpenIdServerConfig, all, { name }) => {
      if (all.length === 0) return `${name} needs at least one argument`
      const unknown = known === null ? undefined : all.find((text) => !known.includes(text))
      if (unknown !== undefined) return `${name}: '${unknown}' must be one of: ${known?.join(', ')}`
      put(config, new Set(all))
      return undefined
    },
  })
}

/** A directive of mod_auth_openidc that must not be ignored: what it asks for does not happen here. */
export function refused(why: string): DirectoryDirective<OpenIdConfig, 'raw'> {
  return directive.raw({
    ...anywhere,
    help: `not supported: ${why}`,
    set: (_config: OpenIdConfig, _text, { name }: Command) => `${name} is not supported: ${why}`,
  })
}

/** A directive of mod_auth_openidc that has no effect, and needs none. */
export function without(why: string): DirectoryDirective<OpenIdConfig, 'raw'> {
  return directive.raw({ ...anywhere, help: why, effect: 'none', set: () => undefined })
}
