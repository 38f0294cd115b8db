import { contexts, type DirectiveTable, directive } from '@gatewright/api'
import { type CookieStyle, cookieName, type UsertrackConfig, type UsertrackServer } from './config.ts'
import { parseCookieLifetime } from './lifetime.ts'

const ANYWHERE = { scope: 'directory', context: contexts.anywhere, override: 'FileInfo' } as const

const STYLES: ReadonlyMap<string, CookieStyle> = new Map([
  ['netscape', 'netscape'],
  ['cookie', 'cookie'],
  ['rfc2109', 'cookie'],
  ['cookie2', 'cookie2'],
  ['rfc2965', 'cookie2'],
])

const SAME_SITE: ReadonlyMap<string, string> = new Map([
  ['strict', 'SameSite=Strict'],
  ['lax', 'SameSite=Lax'],
  ['none', 'SameSite=None'],
])

export const directives: DirectiveTable<UsertrackConfig, UsertrackServer> = {
  CookieExpires: directive.take1<UsertrackServer>({
    scope: 'server',
    // httpd accepts it everywhere, and the last line of a server counts for all of its folders.
    context: contexts.anywhere,
    override: 'FileInfo',
    help: 'an expiry date code',
    set: (config, text) => {
      const seconds = parseCookieLifetime(text)
      if (typeof seconds === 'string') return seconds
      config.lifetime = seconds
      return undefined
    },
  }),
  CookieDomain: directive.take1<UsertrackConfig>({
    ...ANYWHERE,
    help: 'domain to which this cookie applies',
    set: (config, domain) => {
      if (!domain.startsWith('.')) return 'CookieDomain values must begin with a dot'
      if (!domain.includes('.', 1)) return 'CookieDomain values must contain at least one embedded dot'
      config.domain = domain
      return undefined
    },
  }),
  CookieStyle: directive.take1<UsertrackConfig>({
    ...ANYWHERE,
    help: "'Netscape', 'Cookie' (RFC2109), or 'Cookie2' (RFC2965)",
    set: (config, word, { typedName }) => {
      const style = STYLES.get(word.toLowerCase())
      if (style === undefined) return `Invalid ${typedName} keyword: '${word}'`
      config.style = style
      return undefined
    },
  }),
  CookieTracking: directive.flag<UsertrackConfig>({
    ...ANYWHERE,
    help: 'whether or not to enable cookies',
    set: (config, on) => {
      config.enabled = on
    },
  }),
  CookieName: directive.take1<UsertrackConfig>({
    ...ANYWHERE,
    help: 'name of the tracking cookie',
    set: (config, name) => {
      config.name = cookieName(name)
    },
  }),
  CookieSameSite: directive.take1<UsertrackConfig>({
    ...ANYWHERE,
    help: 'SameSite setting',
    set: (config, word) => {
      const attribute = SAME_SITE.get(word.toLowerCase())
      if (attribute === undefined) return "CookieSameSite accepts 'Strict', 'Lax', or 'None'"
      config.sameSite = attribute
      return undefined
    },
  }),
  CookieSecure: directive.flag<UsertrackConfig>({
    ...ANYWHERE,
    help: 'is cookie secure',
    set: (config, on) => {
      config.secure = on
    },
  }),
  CookieHttpOnly: directive.flag<UsertrackConfig>({
    ...ANYWHERE,
    help: 'is cookie http only',
    set: (config, on) => {
      config.httpOnly = on
    },
  }),
}
