import { type Command, type Context, contexts } from '@gatewright/api'
import type { DomainSettings, MdSettings } from '../settings.ts'

/** The scope of nearly all directives. */
export const IN_SERVERS: { readonly scope: 'server'; readonly context: readonly Context[] } = {
  scope: 'server',
  context: contexts.inServers,
}

/** The object that a line fills: that of the section around it, or of its server. */
export function settingsOf(config: MdSettings): DomainSettings {
  return config.current?.settings ?? config.own
}

/** The error of a directive for the whole server inside of a section; undefined outside. */
export function refuseInside(config: MdSettings, { name }: Command): string | undefined {
  return config.current === null ? undefined : `${name} is not allowed inside an '<MDomainSet' context`
}

/** The error of a directive for one domain outside of its section. */
export function refuseOutside({ name }: Command): string {
  return `${name} is only valid inside a '<MDomainSet' context, not here`
}

/** `on` or `off`, or the error text. */
export function readSwitch(word: string): { readonly on: boolean } | { readonly error: string } {
  const lower = word.toLowerCase()
  if (lower === 'on' || lower === 'off') return { on: lower === 'on' }
  return { error: `unknown '${word}', supported parameter values are 'on' and 'off'` }
}
