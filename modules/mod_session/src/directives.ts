import { contexts, type DirectiveTable, directive } from '@gatewright/api'
import { leadingInteger } from '@gatewright/api/text'
import type { SessionConfig } from './config.ts'

const common = { scope: 'directory', context: contexts.anywhere, override: 'AuthConfig' } as const

export const directives: DirectiveTable<SessionConfig, undefined> = {
  Session: directive.flag({
    ...common,
    help: 'on if a session should be maintained for these URLs',
    set: (config: SessionConfig, on) => {
      config.enabled = on
    },
  }),
  SessionMaxAge: directive.take1({
    ...common,
    help: 'length of time for which a session should be valid. Zero to disable',
    set: (config: SessionConfig, word) => {
      config.maxAge = leadingInteger(word)
    },
  }),
  SessionHeader: directive.take1({
    ...common,
    help: 'output header, if present, whose contents will be injected into the session.',
    set: (config: SessionConfig, word) => {
      config.header = word
    },
  }),
  SessionEnv: directive.flag({
    ...common,
    help: 'on if a session should be written to the CGI environment. Defaults to off',
    set: (config: SessionConfig, on) => {
      config.env = on
    },
  }),
  SessionInclude: directive.take1({
    ...common,
    help: 'URL prefixes to include in the session. Defaults to all URLs',
    set: (config: SessionConfig, word) => {
      config.includes = [...(config.includes ?? []), word]
    },
  }),
  SessionExclude: directive.take1({
    ...common,
    help: 'URL prefixes to exclude from the session. Defaults to no URLs',
    set: (config: SessionConfig, word) => {
      config.excludes = [...(config.excludes ?? []), word]
    },
  }),
  SessionExpiryUpdateInterval: directive.take1({
    ...common,
    help: "time interval for which a session's expiry time may change without having to be rewritten. Zero to disable",
    set: (config: SessionConfig, word) => {
      const seconds = leadingInteger(word)
      if (seconds < 0) return 'SessionExpiryUpdateInterval must be zero (disable) or a positive value'
      config.updateInterval = seconds
      return undefined
    },
  }),
}
