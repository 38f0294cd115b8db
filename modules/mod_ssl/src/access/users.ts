import { DECLINED, HTTP_FORBIDDEN, type ModuleHost, type Outcome, type Request } from '@gatewright/api'
import { parseBasicCredentials } from '@gatewright/api/text'
import { FAKE_BASIC_AUTH } from '../options.ts'
import type { SectionSettings, ServerSettings } from '../settings.ts'
import { requestValue } from './expression-names.ts'
import type { VariableSources } from './tls-variables.ts'

/** The password of every user whom a certificate stands for. */
const PASSWORD = 'password'

/** The fields that hold credentials of a request to this server. */
const FIELDS = ['Authorization'] as const
/** Those of a request that uses this server as a proxy. httpd does not look at the second one. */
const FIELDS_OF_PROXIES = ['Authorization', 'Proxy-Authorization'] as const

/** SSLUserName and SSLOptions +FakeBasicAuth. */
export class CertificateUsers {
  readonly #host: ModuleHost<SectionSettings, ServerSettings>
  readonly #sources: VariableSources

  constructor(host: ModuleHost<SectionSettings, ServerSettings>, sources: VariableSources) {
    this.#host = host
    this.#sources = sources
  }

  /** Sets the user by SSLUserName, before anything asks for one. */
  setUser(request: Request): Outcome {
    const { userName, options } = this.#host.configOf(request)
    // As in httpd, the other way to make users of certificates takes precedence.
    if (userName === undefined || (options.bits & FAKE_BASIC_AUTH) !== 0 || this.#sources.viewOf(request) === null)
      return DECLINED
    const value = requestValue(this.#sources, request, userName)
    if (value === '') this.#host.log.write(request, 'warn', 'AH02227', `Failed to set r->user to '${userName}'`)
    else request.user = value
    return DECLINED
  }

  /**
   * Replaces the client's credentials by the subject of its certificate. Nobody gets that far by typing the
   * subject and the well-known password.
   */
  fakeCredentials(request: Request): Outcome {
    if (request.main !== null || request.prev !== null) return DECLINED
    for (const name of request.proxyRequest === 'forward' ? FIELDS_OF_PROXIES : FIELDS) {
      const typed = request.headersIn.get(name)
      const user = typed === undefined ? undefined : spoofedUser(typed)
      if (user !== undefined) {
        this.#host.log.write(request, 'error', 'AH02035', `Encountered FakeBasicAuth spoof: ${user}`)
        return HTTP_FORBIDDEN
      }
    }
    if ((this.#host.configOf(request).options.bits & FAKE_BASIC_AUTH) === 0 || request.user !== null) return DECLINED
    const certificate = this.#sources.viewOf(request)?.clientCertificate ?? null
    if (certificate === null) return DECLINED
    // Without a subject, the client is nobody, and what it has typed counts as little as that of others.
    const subject = this.#sources.certificates.variable(certificate, 'S_DN', 'one line') ?? ''
    const value = `Basic ${Buffer.from(`${subject}:${PASSWORD}`, 'latin1').toString('base64')}`
    request.headersIn.set('Authorization', value)
    this.#host.log.write(request, 'info', 'AH02036', `Faking HTTP Basic Auth header: "Authorization: ${value}"`)
    return DECLINED
  }
}

/**
 * The user in credentials that look like those of a certificate. They are read as authentication reads them. More than
 * the well-known password is refused, too: crypt hashes its first eight characters only.
 */
function spoofedUser(header: string): string | undefined {
  const credentials = parseBasicCredentials(header)
  if (credentials === null) return undefined
  const { user, password } = credentials
  return user.startsWith('/') && password.startsWith(PASSWORD) ? user : undefined
}
