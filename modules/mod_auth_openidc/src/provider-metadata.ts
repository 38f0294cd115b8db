import { isJsonObject, type JsonObject } from '@gatewright/tokens'
import type { AuthorizationServer } from 'oauth4webapi'
import { type OpenIdServerConfig, STANDARD } from './config.ts'
import { type HttpClient, mayBePlain } from './http-client.ts'

/** Milliseconds between two attempts to get a document that could not be had. */
const PAUSE = 2_000
/** Milliseconds for which the last document is used while it cannot be had again. */
const OUTAGE = 7 * 86_400_000

const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'end_session_endpoint',
  'revocation_endpoint',
] as const
const WELL_KNOWN = '/.well-known/openid-configuration'

/** What is known of a provider: by its own document, and by directives, which take precedence. */
export class ProviderMetadata {
  readonly #config: Readonly<OpenIdServerConfig>
  readonly #http: HttpClient
  readonly #now: () => number
  #known: AuthorizationServer | null = null
  #fetchedAt = 0
  #triedAt = Number.NEGATIVE_INFINITY
  #pending: Promise<AuthorizationServer> | null = null

  constructor(config: Readonly<OpenIdServerConfig>, http: HttpClient, now: () => number = () => performance.now()) {
    this.#config = config
    this.#http = http
    this.#now = now
    if (config.metadataUrl === undefined) this.#known = this.#complete({})
  }

  /** @throws Error if the document cannot be had, or is not that of the provider */
  async get(): Promise<AuthorizationServer> {
    const { metadataUrl, metadataRefresh = STANDARD.metadataRefresh } = this.#config
    if (metadataUrl === undefined && this.#known !== null) return this.#known
    const age = this.#now() - this.#fetchedAt
    if (this.#known === null || age > OUTAGE) return this.#refresh()
    // Nobody waits for a new document, or notices that it cannot be had.
    if (age > metadataRefresh) this.#refresh().catch(() => undefined)
    return this.#known
  }

  #refresh(): Promise<AuthorizationServer> {
    if (this.#pending !== null) return this.#pending
    const { metadataUrl } = this.#config
    if (metadataUrl === undefined) return Promise.reject(new Error('no metadata'))
    if (this.#now() - this.#triedAt < PAUSE) {
      return Promise.reject(new Error(`${metadataUrl.href} failed a moment ago`))
    }
    this.#triedAt = this.#now()
    this.#pending = this.#fetch(metadataUrl).finally(() => {
      this.#pending = null
    })
    return this.#pending
  }

  async #fetch(url: URL): Promise<AuthorizationServer> {
    const { shortTimeout = STANDARD.shortTimeout, issuer } = this.#config
    const response = await this.#http.send(url, { headers: { accept: 'application/json' }, timeout: shortTimeout })
    if (response.status !== 200) throw new Error(`${url.href} answered ${response.status}`)
    const document: unknown = await response.json()
    if (!isJsonObject(document)) throw new Error(`${url.href} is not an object`)
    // OpenID Connect Discovery 1.0, section 4.3: another issuer could pass itself off as this one.
    const expected = issuer ?? (url.href.endsWith(WELL_KNOWN) ? url.href.slice(0, -WELL_KNOWN.length) : null)
    if (typeof document.issuer !== 'string') throw new Error(`${url.href} names no issuer`)
    if (expected !== null && withoutSlash(document.issuer) !== withoutSlash(expected)) {
      throw new Error(`${url.href} names the issuer ${printable(document.issuer)} in place of ${expected}`)
    }
    this.#known = this.#complete(document)
    this.#fetchedAt = this.#now()
    return this.#known
  }

  #complete(document: JsonObject): AuthorizationServer {
    const { issuer, authorizationEndpoint, tokenEndpoint, jwksUri, userInfoEndpoint, endSessionEndpoint, revocationEndpoint } =
      this.#config
    const own = {
      authorization_endpoint: authorizationEndpoint,
      token_endpoint: tokenEndpoint,
      jwks_uri: jwksUri,
      userinfo_endpoint: userInfoEndpoint,
      end_session_endpoint: endSessionEndpoint,
      revocation_endpoint: revocationEndpoint,
    }
    const found: { -readonly [K in (typeof ENDPOINTS)[number]]?: string } = {}
    for (const name of ENDPOINTS) {
      const value = own[name]?.href ?? document[name]
      if (value === undefined || value === null) continue
      found[name] = this.#endpoint(name, value)
    }
    const named = typeof document.issuer === 'string' ? document.issuer : issuer
    if (named === undefined) throw new Error('no issuer')
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
      if (found[name] === undefined) throw new Error(`the metadata of ${named} has no ${name}`)
    }
    return {
      issuer: named,
      ...found,
      id_token_signing_alg_values_supported: texts(document.id_token_signing_alg_values_supported),
      token_endpoint_auth_methods_supported: texts(document.token_endpoint_auth_methods_supported),
      authorization_response_iss_parameter_supported: document.authorization_response_iss_parameter_supported === true,
    }
  }

  #endpoint(name: string, value: unknown): string {
    const url = typeof value === 'string' ? URL.parse(value) : null
    const isWeb =
      url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && mayBePlain(url, this.#http.settings)))
    if (!isWeb) throw new Error(`the metadata has a ${name} that does not begin with https://`)
    return url.href
  }
}

function texts(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((member): member is string => typeof member === 'string') : undefined
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? url.slice(0, -1) : url
}

/** What others have sent, for a log. */
export function printable(text: string): string {
  return text.slice(0, 200).replace(/[^\x20-\x7e]/g, '?')
}
