import type { AuthnStatus, MaybePromise, Request } from '@gatewright/api'
import { type LdapSession, type LdapUserOutcome, ldapSession } from '@gatewright/api/peers'
import { fillTemplate } from '@gatewright/api/text'
import { RESULT, resultText } from '@gatewright/ldap'
import type { CharsetConversion } from './charsets.ts'
import { type AuthLdapConfig, isUsable, type UsableConfig } from './config.ts'
import { begin, directoryOf, type Host, nameUser, searchFor, type UserMemory } from './known-user.ts'
import { isTooLong, tooLong, userFilter } from './search-filter.ts'

/** A question to the directory. */
interface Login {
  readonly request: Request
  readonly config: UsableConfig
  readonly session: LdapSession
  readonly user: string
  readonly password: string
}

/** The authentication provider `ldap`: searches for a user, and binds as the entry that was found. */
export class PasswordCheck {
  readonly #host: Host
  readonly #memory: UserMemory
  readonly #charsets: CharsetConversion

  constructor(host: Host, charsets: CharsetConversion, memory: UserMemory) {
    this.#host = host
    this.#charsets = charsets
    this.#memory = memory
  }

  /** Not a promise if the directory has answered the same before. */
  check(request: Request, user: string, password: string): MaybePromise<AuthnStatus> {
    const { configOf, functions, log } = this.#host
    const config = configOf(request)
    if (!isUsable(config)) {
      log.write(request, 'warn', 'AH02558', 'no AuthLDAPURL')
      return 'general-error'
    }
    if (password === '') {
      // A bind without a password would succeed for anybody (RFC 4513 section 5.1.2).
      log.write(request, 'debug', 'AH10263', 'auth_ldap authenticate: empty password specified')
      return 'denied'
    }
    begin(log, request, this.#memory)
    const session = functions.get(ldapSession)?.(request, { ...directoryOf(config), ...accountFor(config, user, password) })
    if (session === undefined) {
      log.write(request, 'error', '', 'mod_ldap is not loaded: add LoadModule ldap_module')
      return 'general-error'
    }
    const login: Login = { request, config, session, user, password }
    const outcome = this.#ask(login)
    if (outcome instanceof Promise) return this.#later(login, outcome)
    session.close()
    return this.#decide(login, outcome)
  }

  /** Null: the filter is too long, which is logged. */
  #ask({ request, config, session, user, password }: Login): MaybePromise<LdapUserOutcome | null> {
    const { log } = this.#host
    const { url } = config
    log.write(request, 'debug', 'AH01691', `auth_ldap authenticate: using URL ${url.text}`)
    const filter = userFilter(url.filter, url.nameAttribute, this.#charsets.converted(request, user))
    if (isTooLong(filter)) {
      log.write(request, 'error', 'AH02622', tooLong('authenticate', filter))
      return null
    }
    log.write(request, 'trace1', '', `auth_ldap authenticate: final authn filter is ${filter}`)
    return session.checkUser(searchFor(config, filter), password)
  }

  async #later(login: Login, pending: Promise<LdapUserOutcome | null>): Promise<AuthnStatus> {
    try {
      return this.#decide(login, await pending)
    } finally {
      login.session.close()
    }
  }

  #decide({ request, config, user, password }: Login, outcome: LdapUserOutcome | null): AuthnStatus {
    if (outcome === null) return 'general-error'
    if (outcome.user === null) return this.#refuse(request, config, user, outcome)
    const { log } = this.#host
    this.#memory.set(request, { user: { dn: outcome.user.dn, name: user, password }, entry: outcome.user })
    if (config.remoteUserIsDn) request.user = outcome.user.dn
    if (!nameUser(request, config, outcome.user)) log.write(request, 'warn', 'AH01696', notRequested('authenticate', config))
    log.write(request, 'debug', 'AH01697', `auth_ldap authenticate: accepting ${user}`)
    return 'granted'
  }

  #refuse(
    request: Request,
    { isAuthoritative, url }: Readonly<AuthLdapConfig>,
    user: string,
    { code, reason }: { readonly code: number; readonly reason: string },
  ): AuthnStatus {
    const { log } = this.#host
    const failure = `user ${user} authentication failed; URI ${request.uri} [${reason}][${resultText(code)}]`
    if (!isAuthoritative) {
      log.write(request, 'debug', 'AH01694', `auth_ldap authenticate: ${failure} (not authoritative)`)
      return 'not-found'
    }
    log.write(request, 'info', 'AH01695', `auth_ldap authenticate: ${failure}`)
    if (code === RESULT.noSuchObject) return 'not-found'
    if (code === RESULT.other && url?.filter.toLowerCase() === 'none') return 'not-found'
    return isAboutCredentials(code) ? 'denied' : 'general-error'
  }
}

/** The account of the first bind. */
function accountFor(
  { bindsAsUser, bindPattern, bindDn, bindPassword }: Readonly<AuthLdapConfig>,
  user: string,
  password: string,
): { readonly bindDn: string | null; readonly bindPassword: string | null } {
  if (!bindsAsUser) return { bindDn: bindDn ?? null, bindPassword: bindPassword ?? null }
  const groups = bindPattern?.pattern.match(user) ?? null
  return {
    bindDn: bindPattern === undefined || groups === null ? user : fillTemplate(bindPattern.template, groups),
    bindPassword: password,
  }
}

/** The codes that OpenLDAP calls security errors. */
function isAboutCredentials(code: number): boolean {
  return code >= 47 && code <= RESULT.insufficientAccess
}

/** The message about an attribute for the user's name that is not among those of the URL. */
export function notRequested(what: string, { remoteUserAttribute }: Readonly<AuthLdapConfig>): string {
  return (
    `auth_ldap ${what}: REMOTE_USER was to be set with attribute '${remoteUserAttribute}', but this attribute was not requested for in ` +
    'the LDAP query for the user. REMOTE_USER will fall back to username or DN as appropriate.'
  )
}
