import { type DirectiveTable, directive } from '@gatewright/api'
import type { OpenIdConfig, OpenIdServerConfig, RemoteUserClaim } from './config.ts'
import { flag, inServers, number, word, words } from './directive-rows.ts'

const FIELD_NAME = /^[\w!#$%&'*+.^`|~-]*$/
const HOOKS = [
  'iat',
  'access_token',
  'access_token_expires',
  'id_token',
  'userinfo',
  'refresh_token',
  'exp',
  'timeout',
  'remote_user',
  'session',
]

/** Sessions, their cookies, and what is passed on of them. */
export const sessionDirectives: DirectiveTable<OpenIdConfig, OpenIdServerConfig> = {
  OIDCRemoteUserClaim: directive.take123({
    ...inServers,
    help: 'the claim with the name of the user, with @ to append the issuer; a pattern for its part, and a substitution',
    set: (config: OpenIdServerConfig, claim, source, substitution, { services }) => {
      const pattern = source === undefined ? null : services.pattern(source)
      if (pattern !== null && 'error' in pattern)
        return `OIDCRemoteUserClaim: cannot compile the pattern '${source}': ${pattern.error}`
      const withIssuer = claim.endsWith('@')
      const rule: RemoteUserClaim = {
        claim: withIssuer ? claim.slice(0, -1) : claim,
        withIssuer,
        pattern,
        substitution: substitution ?? null,
      }
      if (rule.claim === '') return 'OIDCRemoteUserClaim needs the name of a claim'
      config.remoteUser = rule
      return undefined
    },
  }),
  OIDCClaimPrefix: directive.take1({
    ...inServers,
    help: 'the beginning of the names of fields and variables with claims',
    set: (config: OpenIdServerConfig, text) => {
      if (!FIELD_NAME.test(text)) return `OIDCClaimPrefix: '${text}' is not the beginning of the name of a field`
      config.claimPrefix = text
      return undefined
    },
  }),
  OIDCClaimDelimiter: word('what separates the members of a list', (config, value) => {
    config.claimDelimiter = value
  }),
  OIDCPassIDTokenAs: words('how the ID token is passed on', ['claims', 'payload', 'serialized'], (config, value) => {
    config.passIdTokenAs = value
  }),
  OIDCPassUserInfoAs: words('how the claims of the user info endpoint are passed on', ['claims', 'json'], (config, value) => {
    config.passUserInfoAs = value
  }),
  OIDCBlackListedClaims: words('claims that are not kept', null, (config, value) => {
    config.blackListed = value
  }),
  OIDCWhiteListedClaims: words('the only claims that are kept', null, (config, value) => {
    config.whiteListed = value
  }),
  OIDCSessionInactivityTimeout: number(
    'seconds after which a session ends that is not used',
    [10, 31_536_000],
    (config, value) => {
      config.inactivityTimeout = value * 1_000
    },
  ),
  OIDCSessionMaxDuration: number(
    'seconds after which a session ends; 0 for the life of the ID token',
    [0, 31_536_000],
    (config, value) => {
      config.maxDuration = value * 1_000
    },
  ),
  OIDCSessionType: directive.take1({
    ...inServers,
    help: 'server-cache, or server-cache:persistent for a cookie that outlives the browser',
    set: (config: OpenIdServerConfig, text) => {
      if (text !== 'server-cache' && text !== 'server-cache:persistent') {
        return `OIDCSessionType '${text}' is not supported: sessions are kept on the server (server-cache or server-cache:persistent), in the cache of SharedCache if several machines share them`
      }
      config.persistent = text.endsWith(':persistent')
      return undefined
    },
  }),
  OIDCCookieDomain: directive.take1({
    ...inServers,
    help: 'the domain whose hosts share the cookies',
    set: (config: OpenIdServerConfig, text) => {
      const domain = text.replace(/^\./, '').toLowerCase()
      if (!/^[a-z\d-]+(?:\.[a-z\d-]+)*$/.test(domain)) return `OIDCCookieDomain: '${text}' is not a domain`
      config.cookieDomain = domain
      return undefined
    },
  }),
  OIDCCookieHTTPOnly: flag('whether cookies are hidden from scripts', (config, on) => {
    config.cookieHttpOnly = on
  }),
  OIDCStateCookiePrefix: directive.take1({
    ...inServers,
    help: 'the name of the cookie with the logins that have begun; a trailing underscore is dropped',
    set: (config: OpenIdServerConfig, text) => {
      if (!/^[\w.-]*[A-Za-z\d.-][\w.-]*$/.test(text)) return `OIDCStateCookiePrefix: '${text}' is not the name of a cookie`
      config.stateCookiePrefix = text
      return undefined
    },
  }),
  OIDCStateMaxNumberOfCookies: directive.take12({
    ...inServers,
    help: 'how many logins of a browser may be under way; the oldest make room',
    set: (config: OpenIdServerConfig, text) => {
      const most = /^\d{1,3}$/.test(text) ? Number(text) : -1
      if (most < 0 || most > 255) return `OIDCStateMaxNumberOfCookies must be a number from 0 to 255, not '${text}'`
      config.mostStates = most
      return undefined
    },
  }),
  OIDCStateTimeout: number('seconds within which a login must return', [1, 86_400], (config, value) => {
    config.stateTimeout = value * 1_000
  }),
  OIDCDefaultURL: word('where clients go after a response that belongs to no login', (config, value) => {
    config.defaultUrl = value
  }),
  OIDCDefaultLoggedOutURL: word('where clients go after a logout that names no page', (config, value) => {
    config.defaultLoggedOutUrl = value
  }),
  OIDCRedirectURLsAllowed: directive.argv({
    ...inServers,
    help: 'patterns of URLs to which a logout may lead; without any, those of the host that is asked',
    set: (config: OpenIdServerConfig, all, { services }) => {
      if (all.length === 0) return 'OIDCRedirectURLsAllowed needs at least one pattern'
      const patterns = all.map((source) => services.pattern(source))
      const fault = patterns.findIndex((pattern) => 'error' in pattern)
      if (fault >= 0) return `OIDCRedirectURLsAllowed: cannot compile the pattern '${all[fault]}'`
      config.redirectsAllowed = patterns.flatMap((pattern) => ('error' in pattern ? [] : [pattern]))
      return undefined
    },
  }),
  OIDCLogoutXFrameOptions: word('the field X-Frame-Options of front-channel logouts', (config, value) => {
    config.logoutFrameOptions = value
  }),
  OIDCInfoHook: words('what the redirect URI with ?info=json answers', HOOKS, (config, value) => {
    config.infoHook = value
  }),
  OIDCXForwardedHeaders: directive.argv({
    ...inServers,
    help: 'the fields of a proxy in front that say which URL clients asked for',
    set: (config: OpenIdServerConfig, all) => {
      const known = ['x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto', 'forwarded', 'none']
      const unknown = all.find((name) => !known.includes(name.toLowerCase()))
      if (unknown !== undefined || all.length === 0) {
        return 'OIDCXForwardedHeaders must be X-Forwarded-Host, X-Forwarded-Port, X-Forwarded-Proto, Forwarded or none'
      }
      config.forwardedHeaders = new Set(all.map((name) => name.toLowerCase()))
      return undefined
    },
  }),
}
