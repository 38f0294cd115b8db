import { contexts, type DirectiveTable, directive } from '@gatewright/api'
import type { IncludeConfig, IncludeServerConfig } from './config.ts'

const ANYWHERE = { scope: 'directory', context: contexts.anywhere, override: 'All' } as const
const IN_SECTIONS = { scope: 'directory', context: contexts.inSections, override: 'Limit' } as const
const OF_SERVER = { scope: 'server', context: contexts.inServers } as const

export const directives: DirectiveTable<IncludeConfig, IncludeServerConfig> = {
  XBitHack: directive.take1<IncludeConfig>({
    scope: 'directory',
    context: contexts.anywhere,
    override: 'Options',
    help: 'Off, On, or Full',
    set: (config, word) => {
      const value = word.toLowerCase()
      if (value !== 'off' && value !== 'on' && value !== 'full') return 'XBitHack must be set to Off, On, or Full'
      config.xBitHack = value
      return undefined
    },
  }),
  SSIErrorMsg: directive.take1<IncludeConfig>({
    ...ANYWHERE,
    help: 'a string',
    set: (config, text) => {
      config.errorMessage = text
    },
  }),
  SSITimeFormat: directive.take1<IncludeConfig>({
    ...ANYWHERE,
    help: 'a strftime(3) formatted string',
    set: (config, text) => {
      config.timeFormat = text
    },
  }),
  SSIStartTag: directive.take1<IncludeServerConfig>({
    ...OF_SERVER,
    help: 'SSI Start String Tag',
    set: (config, text) => {
      if (/\s/.test(text)) return 'SSIStartTag may not contain any whitespaces'
      config.startTag = text
      return undefined
    },
  }),
  SSIEndTag: directive.take1<IncludeServerConfig>({
    ...OF_SERVER,
    help: 'SSI End String Tag',
    set: (config, text) => {
      if (/\s/.test(text)) return 'SSIEndTag may not contain any whitespaces'
      config.endTag = text
      return undefined
    },
  }),
  SSIUndefinedEcho: directive.take1<IncludeConfig>({
    ...ANYWHERE,
    help: 'String to be displayed if an echoed variable is undefined',
    set: (config, text) => {
      config.undefinedEcho = text
    },
  }),
  SSILegacyExprParser: directive.flag<IncludeConfig>({
    ...IN_SECTIONS,
    help: "Whether to use the legacy expression parser compatible with <= 2.2.x. Limited to 'on' or 'off'",
    set: (config, on) => {
      config.legacyExpressions = on
    },
  }),
  SSILastModified: directive.flag<IncludeConfig>({
    ...IN_SECTIONS,
    help: "Whether to set the last modified header or respect an existing header. Limited to 'on' or 'off'",
    set: (config, on) => {
      config.lastModified = on
    },
  }),
  SSIEtag: directive.flag<IncludeConfig>({
    ...IN_SECTIONS,
    help: "Whether to allow the generation of ETags within the server. Existing ETags will be preserved. Limited to 'on' or 'off'",
    set: (config, on) => {
      config.etag = on
    },
  }),
}
