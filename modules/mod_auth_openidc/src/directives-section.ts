import { type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import type { OpenIdConfig, OpenIdServerConfig, UnauthAction, UnauthzAction } from './config.ts'
import { anywhere } from './directive-rows.ts'

const TOKEN = /^[!#$%&'*+.^`|~\w-]+$/
/** Fields that connect client, server and body: to replace them would change which request it is. */
const NOT_SET =
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|x-forwarded-.*|forwarded|cookie)$/i

/** What sections may set as well. */
export const sectionDirectives: DirectiveTable<OpenIdConfig, OpenIdServerConfig> = {
  OIDCCookie: directive.take1({
    ...anywhere,
    help: 'the name of the cookie of the session',
    set: (config: OpenIdConfig, text) => {
      if (!TOKEN.test(text)) return `OIDCCookie: '${text}' is not the name of a cookie`
      config.cookie = text
      return undefined
    },
  }),
  OIDCCookiePath: directive.take1({
    ...anywhere,
    help: 'the path to which browsers send the cookies; it must contain the redirect URI',
    set: (config: OpenIdConfig, text) => {
      if (!/^\/[^;,\s\0-\x1f\x7f]*$/.test(text)) return `OIDCCookiePath: '${text}' is not a path`
      config.cookiePath = text
      return undefined
    },
  }),
  OIDCPassClaimsAs: directive.take12({
    ...anywhere,
    help: 'none, headers, environment or both; and base64url or latin1',
    set: (config: OpenIdConfig, how, encoding) => {
      if (how !== 'none' && how !== 'headers' && how !== 'environment' && how !== 'both') {
        return `OIDCPassClaimsAs: '${how}' must be none, headers, environment or both`
      }
      if (encoding !== undefined && encoding !== 'base64url' && encoding !== 'latin1') {
        return `OIDCPassClaimsAs: '${encoding}' must be base64url or latin1`
      }
      config.passClaims = how
      config.encoding = encoding
      return undefined
    },
  }),
  OIDCAuthNHeader: directive.take1({
    ...anywhere,
    help: 'the field of the request with the name of the user',
    set: (config: OpenIdConfig, text) => {
      if (!TOKEN.test(text)) return `OIDCAuthNHeader: '${text}' is not the name of a field`
      if (NOT_SET.test(text)) return `OIDCAuthNHeader: ${text} cannot be set, because it determines the request itself`
      config.authnHeader = text
      return undefined
    },
  }),
  OIDCUnAuthAction: directive.take12({
    ...anywhere,
    help: 'what clients without a session get: auth, pass, 401, 407 or 410; and a condition for it',
    set: (config: OpenIdConfig, text, source, command) => {
      const action = unauthActionOf(text)
      if (action === null) return `OIDCUnAuthAction: '${text}' must be auth, pass, 401, 407 or 410`
      const when = source === undefined ? null : command.services.condition(source, command)
      if (when !== null && 'error' in when) return `OIDCUnAuthAction: the condition '${source}' is not valid: ${when.error}`
      config.unauth = { action, when }
      return undefined
    },
  }),
  OIDCUnAutzAction: directive.take12({
    ...anywhere,
    help: 'what users get whom Require refuses: 401, 403, 302 and a URL, or auth',
    set: (config: OpenIdConfig, text, argument) => {
      const action = unauthzActionOf(text)
      if (action === null) return `OIDCUnAutzAction: '${text}' must be 401, 403, 302 or auth`
      if (action === 302 && argument === undefined) return 'OIDCUnAutzAction 302 needs a URL'
      config.unauthz = { action, argument: argument ?? null }
      return undefined
    },
  }),
  OIDCPassCookies: directive.iterate({
    ...anywhere,
    help: 'cookies of clients that are sent to the provider, for its load balancer',
    set: (config: OpenIdConfig, name) => addCookie(config, 'passCookies', name, 'OIDCPassCookies'),
  }),
  OIDCStripCookies: directive.iterate({
    ...anywhere,
    help: 'cookies that programs and backends do not get',
    set: (config: OpenIdConfig, name) => addCookie(config, 'stripCookies', name, 'OIDCStripCookies'),
  }),
  OIDCPathScope: directive.take1({
    ...anywhere,
    help: 'more scopes for the logins of a section',
    set: (config: OpenIdConfig, source, command) => {
      const text = command.services.text(source, command)
      if ('error' in text) return `OIDCPathScope: ${text.error}`
      config.pathScope = text
      return undefined
    },
  }),
  OIDCPathAuthRequestParams: directive.take1({
    ...anywhere,
    help: 'more parameters for the logins of a section, as a query',
    set: (config: OpenIdConfig, source, command) => {
      const text = command.services.text(source, command)
      if ('error' in text) return `OIDCPathAuthRequestParams: ${text.error}`
      config.pathAuthRequestParams = text
      return undefined
    },
  }),
  OIDCRefreshAccessTokenBeforeExpiry: directive.take12({
    ...anywhere,
    help: 'seconds before its end in which an access token is refreshed; logout_on_error ends the session if it cannot be',
    set: (config: OpenIdConfig, text, flagText) => {
      if (!/^\d{1,8}$/.test(text)) return `OIDCRefreshAccessTokenBeforeExpiry must be a number of seconds, not '${text}'`
      if (flagText !== undefined && flagText !== 'logout_on_error') {
        return `OIDCRefreshAccessTokenBeforeExpiry: '${flagText}' must be logout_on_error`
      }
      config.refreshBefore = { seconds: Number(text), logoutOnError: flagText !== undefined }
      return undefined
    },
  }),
  OIDCPassRefreshToken: directive.flag({
    ...anywhere,
    help: 'whether the refresh token is passed on',
    set: (config: OpenIdConfig, on) => {
      config.passRefreshToken = on
    },
  }),
}

function addCookie(config: OpenIdConfig, list: 'passCookies' | 'stripCookies', name: string, directiveName: string): SetResult {
  if (!TOKEN.test(name)) return `${directiveName}: '${name}' is not the name of a cookie`
  config[list] = [...(config[list] ?? []), name]
  return undefined
}

function unauthActionOf(text: string): UnauthAction['action'] | null {
  if (text === 'auth' || text === 'pass') return text
  return text === '401' ? 401 : text === '407' ? 407 : text === '410' ? 410 : null
}

function unauthzActionOf(text: string): UnauthzAction['action'] | null {
  if (text === 'auth') return text
  return text === '401' ? 401 : text === '403' ? 403 : text === '302' ? 302 : null
}
