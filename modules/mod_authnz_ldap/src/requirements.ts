import { type AuthzProvider, type AuthzStatus, isExpressionError, type Request, type Text } from '@gatewright/api'
import { type LdapSession, type LdapUser, ldapSession } from '@gatewright/api/peers'
import { RESULT, resultText } from '@gatewright/ldap'
import { notRequested } from './check-password.ts'
import { isUsable, type UsableConfig } from './config.ts'
import {
  type Host,
  type KnownUser,
  nameUser,
  type Purpose,
  type Remembered,
  recall,
  searchFor,
  setVariables,
  targetFor,
  type UserMemory,
} from './known-user.ts'
import { isTooLong, tooLong, userFilter } from './search-filter.ts'

/** Properties of one form of Require. */
export interface Requirement {
  readonly purpose: Purpose
  /** AH code and name in the message about an expression that fails. */
  readonly expression: { readonly code: string; readonly subject: string }
  /** Of the message about an empty name. */
  readonly blankCode: string
  /** The message about a user without a DN. */
  readonly noDn: { readonly code: string; readonly text: (name: string) => string }
  /** Decides. */
  check(question: Question): Promise<AuthzStatus>
}

/** A requirement in the configuration of a request, with the user whom the directory knows. */
export interface Question {
  readonly host: Host
  readonly request: Request
  readonly config: UsableConfig
  readonly session: LdapSession
  readonly user: KnownUser
  /** The evaluated text of the line. */
  readonly text: string
  /** Splits by the configuration's quoting rules. */
  words(text: string): readonly string[]
  /** Takes the values of an entry for those of the user's from now on, as httpd does. */
  useValues(entry: LdapUser): void
  /** Sets the variables, and grants. */
  grant(): AuthzStatus
}

/** `Require ldap-...` for requirements about a user. */
export function userRequirement(host: Host, memory: UserMemory, requirement: Requirement): AuthzProvider {
  const { configOf, functions, log } = host
  return {
    decidesBy: 'configuration',
    parse(argument, command) {
      const text = command.services.text(argument, command, log)
      if ('error' in text) return `Cannot parse expression in require line: ${text.error}`
      return async (request) => {
        if (request.user === null) return 'denied-no-user'
        const config = configOf(request)
        if (!isUsable(config)) return 'denied'
        if (request.user === '') {
          const type = request.authType ?? '(null)'
          log.write(request, 'debug', requirement.blankCode, `ldap authorize: Userid is blank, AuthType=${type}`)
          return 'denied'
        }
        const target = targetFor(config, memory.get(request)?.user ?? null, requirement.purpose)
        const session = functions.get(ldapSession)?.(request, target)
        if (session === undefined) return 'denied'
        try {
          const known = recall(host, request, memory)
          const { user } = known.user === null ? await findUser(host, request, config, session, memory) : known
          if (user === null) return 'denied'
          if (user.dn === '') {
            const { code, text: about } = requirement.noDn
            log.write(request, 'debug', code, about(user.name))
            return 'denied'
          }
          const evaluated = evaluate(host, request, text, requirement.expression)
          if (evaluated === undefined) return 'denied'
          return await requirement.check({
            host,
            request,
            config,
            session,
            user,
            text: evaluated,
            words: (line) => command.words(line),
            useValues: (entry) => memory.set(request, { user, entry }),
            grant: () => {
              const entry = memory.get(request)?.entry ?? null
              if (entry !== null) setVariables(request, config, config.authorizePrefix, entry)
              return 'granted'
            },
          })
        } finally {
          session.close()
        }
      }
    },
  }
}

const NOBODY: Remembered = { user: null, entry: null }

/** Searches for a user whose password another provider has checked. */
async function findUser(
  { log }: Host,
  request: Request,
  config: UsableConfig,
  session: LdapSession,
  memory: UserMemory,
): Promise<Remembered> {
  const name = request.user ?? ''
  const filter = userFilter(config.url.filter, config.url.nameAttribute, name)
  if (isTooLong(filter)) {
    log.write(request, 'error', 'AH02623', tooLong('authorize', filter))
    return NOBODY
  }
  const { user: entry, reason } = await session.findUser(searchFor(config, filter))
  if (entry === null) {
    log.write(request, 'debug', 'AH01701', `auth_ldap authorise: User DN not found, ${reason}`)
    return NOBODY
  }
  if (!nameUser(request, config, entry)) log.write(request, 'warn', 'AH10450', notRequested('non-ldap authenticate', config))
  const known: Remembered = { user: { dn: entry.dn, name, password: null }, entry }
  memory.set(request, known)
  return known
}

/** The text of a line; undefined if its expression fails, which is logged. */
export function evaluate(
  { log }: Host,
  request: Request,
  text: Text,
  { code, subject }: Requirement['expression'],
): string | undefined {
  if (text.constant !== undefined) return text.constant
  try {
    return text.of(request)
  } catch (error) {
    if (!isExpressionError(error)) throw error
    log.write(request, 'error', code, `auth_ldap authorize: ${subject}: ${error.message}`)
    return undefined
  }
}

/** Whether a comparison has found what it looked for. */
export function isTrue({ code }: { readonly code: number }): boolean {
  return code === RESULT.compareTrue
}

/** Writes `[REASON][TEXT]`, as messages end. */
export function bracketed({ code, reason }: { readonly code: number; readonly reason: string }): string {
  return `[${reason}][${resultText(code)}]`
}

/** The same with the number of the result. */
export function numbered({ code, reason }: { readonly code: number; readonly reason: string }): string {
  return `[${reason}][${code} - ${resultText(code)}]`
}
