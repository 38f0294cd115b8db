import type { MaybePromise, Request } from '@gatewright/api'
import type {
  LdapOutcome,
  LdapSession,
  LdapSubgroups,
  LdapTarget,
  LdapUser,
  LdapUserOutcome,
  LdapUserSearch,
} from '@gatewright/api/peers'
import { askShown, isAssumedPassword } from '@gatewright/api/tracing'
import { hostsIn, RESULT, resultText } from '@gatewright/ldap'

/** What stands for the DN of an entry that was not looked for. */
const UNKNOWN_DN = '<the DN of that entry>'

/** A session of a request that is explained: it shows every question with its answer, and asks nobody if nobody may be asked. */
export class ShownSession implements LdapSession {
  readonly #request: Request
  readonly #session: LdapSession
  readonly #of: string
  /** Whether the account of the session is that of a user whose password is not known. */
  readonly #isLockedOut: boolean

  constructor(request: Request, session: LdapSession, target: LdapTarget) {
    this.#request = request
    this.#session = session
    this.#of = directoryName(target)
    this.#isLockedOut = isAssumedPassword(request, target.bindPassword)
  }

  async checkUser(search: LdapUserSearch, password: string): Promise<LdapUserOutcome> {
    // A directory may lock an account after wrong passwords: one that is assumed is not sent.
    if (isAssumedPassword(this.#request, password)) return this.#search(search, '', () => this.#session.findUser(search))
    return this.#search(search, ', then log in as that entry with the password', () => this.#session.checkUser(search, password))
  }

  findUser(search: LdapUserSearch): Promise<LdapUserOutcome> {
    return this.#search(search, '', () => this.#session.findUser(search))
  }

  async #search(
    { base, scope, filter, attributes }: LdapUserSearch,
    andThen: string,
    ask: () => MaybePromise<LdapUserOutcome>,
  ): Promise<LdapUserOutcome> {
    const wanted = attributes.length === 0 || attributes[0] === '1.1' ? '' : ` and read ${attributes.join(', ')}`
    const question = `search ${SCOPES[scope]} "${base}" for ${filter}${wanted}${andThen}`
    const answer = await this.#ask(question, ask, (found) =>
      found.user === null ? outcomeText(found) : `found ${found.user.dn}`,
    )
    if (answer !== null) return answer
    // The questions that follow a login are shown, too; one with a password that was not checked has failed.
    if (andThen !== '') return { code: RESULT.invalidCredentials, reason: NOT_ASKED, user: null }
    const user: LdapUser = { dn: UNKNOWN_DN, values: attributes.map(() => null) }
    return { code: RESULT.success, reason: NOT_ASKED, user }
  }

  async compare(url: string, dn: string, attribute: string, value: string): Promise<LdapOutcome> {
    const question = `compare ${attribute} of ${dn} with ${value}`
    return (await this.#ask(question, () => this.#session.compare(url, dn, attribute, value), outcomeText)) ?? UNANSWERED
  }

  async compareDn(url: string, dn: string, required: string, onServer: boolean): Promise<LdapOutcome> {
    const ask = (): MaybePromise<LdapOutcome> => this.#session.compareDn(url, dn, required, onServer)
    if (!onServer) return ask()
    return (await this.#ask(`read ${required} to compare its DN with ${dn}`, ask, outcomeText)) ?? UNANSWERED
  }

  async inSubgroups(
    url: string,
    group: string,
    attribute: string,
    value: string,
    subgroups: LdapSubgroups,
  ): Promise<LdapOutcome> {
    const { attributes, depth } = subgroups
    const question = `compare ${attribute} of the groups in ${attributes.join(' and ')} of ${group} with ${value}, ${depth} levels deep`
    const ask = (): MaybePromise<LdapOutcome> => this.#session.inSubgroups(url, group, attribute, value, subgroups)
    return (await this.#ask(question, ask, outcomeText)) ?? UNANSWERED
  }

  close(): void {
    this.#session.close()
  }

  #ask<T>(question: string, ask: () => MaybePromise<T>, shown: (answer: T) => string): MaybePromise<T | null> {
    if (!this.#isLockedOut) return askShown(this.#request, { of: this.#of, question, ask, shown })
    const text = `${question} (not asked: the directory wants the password of the user)`
    this.#request.tracer?.step(this.#request, { kind: 'question', of: this.#of, question: text, answer: null })
    return null
  }
}

const SCOPES: Readonly<Record<LdapUserSearch['scope'], string>> = {
  base: 'the entry',
  one: 'directly below',
  sub: 'below',
}

const NOT_ASKED = 'Nobody was asked'
const UNANSWERED: LdapOutcome = { code: RESULT.compareFalse, reason: NOT_ASKED }

/** `the directory ldap.example.org:389, as cn=www,dc=example,dc=org`. */
function directoryName({ hosts, port, security, bindDn }: LdapTarget): string {
  const account = bindDn === null ? 'anonymously' : `as ${bindDn}`
  const how = security === null || security === 'none' ? '' : security === 'ssl' ? ' by TLS' : ' by STARTTLS'
  const places = hostsIn(hosts, port).map((server) => `${server.host}:${server.port}`)
  return `the directory ${places.join(', ')}${how}, ${account}`
}

function outcomeText({ code, reason }: LdapOutcome): string {
  return `${resultText(code)} (${reason})`
}
