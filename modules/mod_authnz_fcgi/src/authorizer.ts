import type { AuthnStatus, AuthzStatus, DirectivePlace, HostServices, ModuleLog, Request, Slot, Table } from '@gatewright/api'
import { askShown, isAssumedPassword } from '@gatewright/api/tracing'
import { type ConnectionPool, type UpstreamConnection, UpstreamError, unkeptConnections } from '@gatewright/upstream'
import { type Answer, AnswerReader, TIMED_OUT } from './answer.ts'
import type { BackendAddress } from './authorizer-address.ts'
import { noteStatusLine, type StatusLine, takeFields } from './take-fields.ts'

/** What AuthnzFcgiDefineProvider defines: who checks passwords, who decides, or both in one answer. */
export type AuthorizerKind = 'authn' | 'authz' | 'authnz'

/** What an authorizer needs of the module. */
export interface AuthorizerParts {
  readonly services: HostServices
  readonly log: ModuleLog
  /** Names of the authorizers of both kinds that have granted the login of a request. */
  readonly granted: Slot<Request, Set<string>>
  readonly statusLines: Slot<Request, StatusLine>
}

/** What the authorizer is asked, as FCGI_APACHE_ROLE; null for one that does both. */
type Role = 'AUTHENTICATOR' | 'AUTHORIZER'

/** Fields that FastCGI forbids for authorizers (section 6.3), and those of the client's connection. */
const OMITTED = [
  'CONTENT_LENGTH',
  'PATH_INFO',
  'PATH_TRANSLATED',
  'SCRIPT_NAME',
  'HTTP_KEEP_ALIVE',
  'HTTP_TE',
  'HTTP_TRAILER',
  'HTTP_TRANSFER_ENCODING',
  'HTTP_UPGRADE',
  'HTTP_CONNECTION',
]

/** A FastCGI application in the role of an authorizer, with a connection for each question, as in httpd. */
export class Authorizer {
  readonly name: string
  readonly kind: AuthorizerKind
  readonly backend: BackendAddress
  /** The line that defines it. */
  readonly place: Pick<DirectivePlace, 'file' | 'line'>
  /** The host's address, once it is known. */
  address: string
  #parts: AuthorizerParts | null = null
  #pool: ConnectionPool | null = null

  constructor(name: string, kind: AuthorizerKind, backend: BackendAddress, place: Pick<DirectivePlace, 'file' | 'line'>) {
    this.name = name
    this.kind = kind
    this.backend = backend
    this.place = place
    this.address = backend.host
  }

  get isAuthn(): boolean {
    return this.kind !== 'authz'
  }

  get isAuthz(): boolean {
    return this.kind !== 'authn'
  }

  /** Called before requests are served. */
  attach(parts: AuthorizerParts): void {
    this.#parts = parts
  }

  close(): void {
    this.#pool?.close()
    this.#pool = null
  }

  /** The password of a login: any status but 200 is a wrong one, 500 a failure. */
  async checkPassword(request: Request, password: string): Promise<AuthnStatus> {
    const answer = await this.ask(request, 'AUTHENTICATOR', password)
    if (answer === 'not asked') return 'denied'
    if (answer === null || answer.head.status === 500) return 'general-error'
    if (answer.head.status !== 200) return 'denied'
    const granted = this.#parts?.granted
    if (this.kind === 'authnz' && granted !== undefined) {
      granted.set(request, (granted.get(request) ?? new Set()).add(this.name))
    }
    return 'granted'
  }

  /** Whether a user may: one of both kinds has said so when it checked the password. */
  async authorize(request: Request): Promise<AuthzStatus> {
    if (this.kind === 'authnz') return this.#parts?.granted.get(request)?.has(this.name) === true ? 'granted' : 'denied'
    const answer = await this.ask(request, 'AUTHORIZER', null)
    if (answer === 'not asked') return 'denied'
    if (answer === null || answer.head.status === 500) return 'general-error'
    return answer.head.status === 200 ? 'granted' : 'denied'
  }

  /**
   * Asks about a request, and puts the fields of the answer in it.
   * @param password what the client typed; null if it sent none, or if it was checked before
   * @returns null if there is no answer, which was logged; `not asked` for an explanation that must not ask: deny
   */
  async ask(request: Request, role: Role, password: string | null): Promise<Answer | 'not asked' | null> {
    const question = {
      of: `the authorizer ${this.name} at ${this.backend.url}`,
      question: `as ${role}: ${request.method} ${request.uri} of ${request.user ?? 'nobody'}`,
    }
    // Only the server knows a password that is assumed.
    if (isAssumedPassword(request, password)) {
      request.tracer?.step(request, { kind: 'question', ...question, answer: null })
      return 'not asked'
    }
    const asked = await askShown(request, {
      ...question,
      ask: async () => ({ answer: await this.#ask(request, role, password) }),
      shown: ({ answer }) => (answer === null ? 'no answer' : `status ${answer.head.status}`),
    })
    return asked === null ? 'not asked' : asked.answer
  }

  async #ask(request: Request, role: Role, password: string | null): Promise<Answer | null> {
    const parts = this.#parts
    if (parts === null) return null
    const connection = await this.#connect(request)
    if (connection instanceof UpstreamError) {
      this.#notConnected(parts.log, request, connection)
      return null
    }
    const params = this.#paramsOf(parts.services.cgiVariables(request), role, password)
    const answer = await new AnswerReader(request, this.backend.url, parts.log).read(connection, params)
    if (answer !== null) {
      takeFields(request, answer)
      noteStatusLine(request, answer, parts.statusLines)
    }
    return answer
  }

  #paramsOf(variables: Table, role: Role, password: string | null): Table {
    for (const name of OMITTED) variables.unset(name)
    variables.set('FCGI_ROLE', 'AUTHORIZER')
    if (this.kind !== 'authnz') variables.set('FCGI_APACHE_ROLE', role)
    if (password !== null) variables.set('REMOTE_PASSWD', password)
    variables.set('HTTP_CONNECTION', 'close')
    return variables
  }

  #connect(request: Request): Promise<UpstreamConnection | UpstreamError> {
    this.#pool ??= unkeptConnections({ host: this.address, port: this.backend.port }, request.server.timeout)
    const pool = this.#pool
    return new Promise<UpstreamConnection | UpstreamError>((resolve) => {
      const giveUp = pool.acquire({ onConnection: resolve, onError: resolve })
      request.whenGone(() => {
        giveUp()
        resolve(new UpstreamError('acquire-timeout', { detail: 'the client has gone' }))
      })
    })
  }

  #notConnected(log: ModuleLog, request: Request, error: UpstreamError): void {
    const { url, port } = this.backend
    const target = this.address.includes(':') ? `[${this.address}]:${port}` : `${this.address}:${port}`
    const cause = error.code === 'connect-timeout' ? TIMED_OUT : (error.cause ?? undefined)
    log.write(request, 'error', 'AH02495', `attempt to connect to ${target} (${url}) failed`, cause)
  }
}
