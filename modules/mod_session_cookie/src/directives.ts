import { type Command, contexts, type DirectiveTable, directive } from '@gatewright/api'
import { type CookieWords, cookieWords } from '@gatewright/api/text'
import type { CookieConfig } from './config.ts'

const common = { scope: 'directory', context: contexts.anywhere, override: 'AuthConfig' } as const

export const directives: DirectiveTable<CookieConfig, undefined> = {
  SessionCookieName: directive.raw({
    ...common,
    help: 'The name of the RFC2109 cookie carrying the session',
    set: (config: CookieConfig, text, command) => {
      const cookie = cookieOf(text, command)
      if (typeof cookie === 'string') return cookie
      config.cookie = cookie
      return undefined
    },
  }),
  SessionCookieName2: directive.raw({
    ...common,
    help: 'The name of the RFC2965 cookie carrying the session',
    set: (config: CookieConfig, text, command) => {
      const cookie = cookieOf(text, command)
      if (typeof cookie === 'string') return cookie
      config.cookie2 = cookie
      return undefined
    },
  }),
  SessionCookieRemove: directive.flag({
    ...common,
    help: "Set to 'On' to remove the session cookie from the headers and hide the cookie from a backend server or process",
    set: (config: CookieConfig, on) => {
      config.remove = on
    },
  }),
}

/** The first word is the name; the rest of the line are the attributes, as they stand. */
function cookieOf(text: string, { name }: Command): CookieWords | string {
  const cookie = cookieWords(text)
  return cookie.name === '' || /[=&]/.test(cookie.name) ? `${name} cannot be empty, or contain '=' or '&'.` : cookie
}
