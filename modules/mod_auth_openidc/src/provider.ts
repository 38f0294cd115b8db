import { ALGORITHMS, claimValues, isJsonObject, type JsonObject, KeySource } from '@gatewright/tokens'
import { errors, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import { signingKey } from './client-keys.ts'
import { type OpenIdServerConfig, STANDARD } from './config.ts'
import { type Asked, HttpClient } from './http-client.ts'
import { ProviderMetadata, printable } from './provider-metadata.ts'

/** The user's data that a provider has sent, all of it verified. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** The session at the provider, if it names one. */
  readonly sid: string | null
  readonly idToken: string
  readonly idClaims: JsonObject
  readonly userInfo: JsonObject | null
  readonly accessToken: string
  /** Seconds since 1970; null if unknown. */
  readonly accessExpires: number | null
  readonly refreshToken: string | null
}

/**
 * `refused`: the response is not one of the provider to this client. `unavailable`: the provider cannot be asked, or answers
 * nonsense.
 */
export class LoginError extends Error {
  readonly kind: 'refused' | 'unavailable'
  constructor(kind: 'refused' | 'unavailable', why: string) {
    super(why)
    this.kind = kind
  }
}

/** What a refresh replaces in an identity. */
export type RefreshedTokens = Pick<Identity, 'accessToken' | 'accessExpires' | 'refreshToken'> & {
  readonly idToken: string
  /** null if the provider sent no new ID token. */
  readonly idClaims: JsonObject | null
}

/** What a response to the redirect URI is checked against. */
export interface Expected {
  readonly state: string
  readonly nonce: string
  readonly verifier: string | null
  readonly redirectUri: string
  /** Cookies of the client for the provider: OIDCPassCookies. */
  readonly cookies: string
}

/** The provider of a server. Used by all its requests in a process. */
export class Provider {
  readonly #config: Readonly<OpenIdServerConfig>
  readonly #http: HttpClient
  readonly #metadata: ProviderMetadata
  readonly #client: oauth.Client
  #keys: { readonly url: string; readonly source: KeySource } | null = null

  constructor(config: Readonly<OpenIdServerConfig>) {
    const { validateTls = true, ca, clientId = '', idTokenAlg, iatSlack = STANDARD.iatSlack } = config
    this.#config = config
    this.#http = new HttpClient({ validateTls, ca })
    this.#metadata = new ProviderMetadata(config, this.#http)
    this.#client = {
      client_id: clientId,
      [oauth.clockTolerance]: iatSlack,
      ...(idTokenAlg !== undefined && { id_token_signed_response_alg: idTokenAlg }),
    }
  }

  /** @throws LoginError */
  async metadata(): Promise<oauth.AuthorizationServer> {
    try {
      return await this.#metadata.get()
    } catch (error) {
      throw new LoginError('unavailable', textOf(error))
    }
  }

  /** Verifies the response to the redirect URI, and gets the user's data. @throws LoginError */
  async identity(parameters: URLSearchParams, expected: Expected): Promise<Identity> {
    const server = await this.metadata()
    let checked: URLSearchParams
    try {
      checked = oauth.validateAuthResponse(server, this.#client, parameters, expected.state)
    } catch (error) {
      if (error instanceof oauth.AuthorizationResponseError) {
        const { error: code, error_description: more } = error
        throw new LoginError(
          'refused',
          `the provider answered ${printable(code)}${more === undefined ? '' : `: ${printable(more)}`}`,
        )
      }
      throw new LoginError('refused', textOf(error))
    }
    const tokens = await this.#exchange(server, checked, expected)
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    if (tokens.id_token === undefined || claims === undefined) throw new LoginError('refused', 'the provider sent no ID token')
    await this.#verifySignature(server, tokens.id_token)
    const userInfo = await this.#userInfo(server, tokens.access_token, claims.sub, expected.cookies)
    return {
      issuer: server.issuer,
      subject: claims.sub,
      sid: typeof claims.sid === 'string' ? claims.sid : null,
      idToken: tokens.id_token,
      idClaims: claims,
      userInfo,
      accessToken: tokens.access_token,
      accessExpires: tokens.expires_in === undefined ? null : Math.floor(Date.now() / 1_000) + tokens.expires_in,
      refreshToken: tokens.refresh_token ?? null,
    }
  }

  /** Gets new tokens of a user by the refresh token. @throws LoginError */
  async refresh({ refreshToken, subject, issuer, idToken }: Identity): Promise<RefreshedTokens> {
    const server = await this.metadata()
    if (refreshToken === null || server.issuer !== issuer) throw new LoginError('refused', 'there is no refresh token')
    try {
      const response = await oauth.refreshTokenGrantRequest(
        server,
        this.#client,
        await this.#clientAuth(server),
        refreshToken,
        this.#options(''),
      )
      const tokens = await oauth.processRefreshTokenResponse(server, this.#client, response)
      const claims = oauth.getValidatedIdTokenClaims(tokens) ?? null
      // OpenID Connect Core 1.0, section 12.2: a token of another user is not one of this session.
      if (claims !== null && claims.sub !== subject) throw new LoginError('refused', 'the new ID token is that of another user')
      if (tokens.id_token !== undefined) await this.#verifySignature(server, tokens.id_token)
      return {
        accessToken: tokens.access_token,
        accessExpires: tokens.expires_in === undefined ? null : Math.floor(Date.now() / 1_000) + tokens.expires_in,
        refreshToken: tokens.refresh_token ?? refreshToken,
        idToken: tokens.id_token ?? idToken,
        idClaims: claims,
      }
    } catch (error) {
      throw loginError(error, 'the token endpoint')
    }
  }

  /**
   * Revokes the tokens of a session, that of the access last: providers may revoke it with the other one.
   * @throws LoginError if one cannot be revoked
   */
  async revoke({ accessToken, refreshToken }: Pick<Identity, 'accessToken' | 'refreshToken'>): Promise<void> {
    const server = await this.metadata()
    if (server.revocation_endpoint === undefined) return
    const { shortTimeout = STANDARD.shortTimeout } = this.#config
    for (const [kind, token] of [
      ['refresh_token', refreshToken],
      ['access_token', accessToken],
    ] as const) {
      if (token === null) continue
      try {
        const auth = await this.#clientAuth(server)
        const options = { ...this.#options('', shortTimeout), additionalParameters: { token_type_hint: kind } }
        await oauth.processRevocationResponse(await oauth.revocationRequest(server, this.#client, auth, token, options))
      } catch (error) {
        throw loginError(error, 'the revocation endpoint')
      }
    }
  }

  /** The claims of a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). @throws LoginError */
  async logoutClaims(token: string): Promise<JsonObject> {
    const server = await this.metadata()
    const claims = await this.#verifySignature(server, token)
    const { events, nonce } = claims
    const isLogout = isJsonObject(events) && isJsonObject(events['http://schemas.openid.net/event/backchannel-logout'])
    if (!isLogout || nonce !== undefined) throw new LoginError('refused', 'the token is not a logout token')
    if (typeof claims.iat !== 'number') throw new LoginError('refused', 'the logout token has no time')
    return claims
  }

  end(): void {
    this.#http.end()
  }

  async #exchange(
    server: oauth.AuthorizationServer,
    parameters: URLSearchParams,
    { nonce, verifier, redirectUri, cookies }: Expected,
  ): Promise<oauth.TokenEndpointResponse> {
    try {
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        this.#client,
        await this.#clientAuth(server),
        parameters,
        redirectUri,
        verifier ?? oauth.nopkce,
        this.#options(cookies),
      )
      return await oauth.processAuthorizationCodeResponse(server, this.#client, response, {
        expectedNonce: nonce,
        requireIdToken: true,
      })
    } catch (error) {
      throw loginError(error, 'the token endpoint')
    }
  }

  /** Also in the code flow, where the connection to the provider could stand for it: OIDCSSLValidateServer may be Off. */
  async #verifySignature(server: oauth.AuthorizationServer, token: string): Promise<JsonObject> {
    const { idTokenAlg, iatSlack = STANDARD.iatSlack, clientId = '' } = this.#config
    const offered = idTokenAlg === undefined ? (server.id_token_signing_alg_values_supported ?? ['RS256']) : [idTokenAlg]
    const options = {
      algorithms: offered.filter((name) => ALGORITHMS.includes(name)),
      issuer: server.issuer,
      audience: clientId,
      clockTolerance: iatSlack,
    }
    const source = this.#keySource(server.jwks_uri ?? '')
    try {
      const keys = await source.keys()
      try {
        return (await jwtVerify(token, keys, options)).payload
      } catch (error) {
        // The provider may have new keys.
        if (!(error instanceof errors.JWKSNoMatchingKey) || !(await source.renewed())) throw error
        return (await jwtVerify(token, await source.keys(), options)).payload
      }
    } catch (error) {
      throw new LoginError(error instanceof errors.JOSEError ? 'refused' : 'unavailable', textOf(error))
    }
  }

  #keySource(url: string): KeySource {
    if (this.#keys?.url !== url) {
      const source = new KeySource(
        new URL(url),
        () => performance.now(),
        async (from) => {
          const response = await this.#send(from, {})
          if (response.status !== 200) throw new Error(`${from.href} answered ${response.status}`)
          const document: unknown = await response.json()
          return document
        },
      )
      this.#keys = { url, source }
    }
    return this.#keys.source
  }

  async #userInfo(
    server: oauth.AuthorizationServer,
    token: string,
    subject: string,
    cookies: string,
  ): Promise<JsonObject | null> {
    if (server.userinfo_endpoint === undefined) return null
    try {
      const response = await oauth.userInfoRequest(server, this.#client, token, this.#options(cookies))
      return await oauth.processUserInfoResponse(server, this.#client, subject, response)
    } catch (error) {
      throw new LoginError('unavailable', `the user info endpoint failed: ${textOf(error)}`)
    }
  }

  async #clientAuth({
    token_endpoint_auth_methods_supported: offered,
    token_endpoint: endpoint,
  }: oauth.AuthorizationServer): Promise<oauth.ClientAuth> {
    const { clientSecret, tokenEndpointAuth, privateKeys } = this.#config
    if (tokenEndpointAuth === 'private_key_jwt' && privateKeys?.[0] !== undefined) {
      return oauth.PrivateKeyJwt(await signingKey(privateKeys[0]), {
        // As in mod_auth_openidc; OpenID Connect Core 1.0, section 9, has it so.
        [oauth.modifyAssertion]: (_header, payload) => {
          payload.aud = endpoint ?? null
        },
      })
    }
    if (clientSecret === undefined || tokenEndpointAuth === 'none') return oauth.None()
    // Bytes of the configuration are those of UTF-8.
    const secret = Buffer.from(clientSecret, 'latin1').toString()
    const onlyPost = offered?.includes('client_secret_basic') === false && offered.includes('client_secret_post')
    switch (tokenEndpointAuth ?? (onlyPost ? 'client_secret_post' : 'client_secret_basic')) {
      case 'client_secret_post':
        return oauth.ClientSecretPost(secret)
      case 'client_secret_jwt':
        return oauth.ClientSecretJwt(secret)
      default:
        return oauth.ClientSecretBasic(secret)
    }
  }

  #options(
    cookies: string,
    timeout = this.#config.longTimeout ?? STANDARD.longTimeout,
  ): {
    readonly [oauth.allowInsecureRequests]: true
    readonly [oauth.customFetch]: (url: string, options: oauth.CustomFetchOptions<string, unknown>) => Promise<Response>
  } {
    return {
      // The client decides about this.
      [oauth.allowInsecureRequests]: true,
      [oauth.customFetch]: (url, { method, headers, body }) =>
        this.#send(new URL(url), {
          method,
          headers: cookies === '' ? headers : { ...headers, cookie: cookies },
          ...(body instanceof URLSearchParams && { body: body.toString() }),
          timeout,
        }),
    }
  }

  #send(url: URL, asked: Omit<Asked, 'timeout'> & { readonly timeout?: number }): Promise<Response> {
    const { longTimeout = STANDARD.longTimeout } = this.#config
    return this.#http.send(url, { timeout: longTimeout, ...asked })
  }
}

/** An error of the library, in the words of a log. */
function loginError(error: unknown, place: string): LoginError {
  if (error instanceof LoginError) return error
  if (error instanceof oauth.ResponseBodyError) {
    const kind = error.error === 'invalid_grant' ? 'refused' : 'unavailable'
    return new LoginError(kind, `${place} answered ${printable(error.error)}: ${printable(error.error_description ?? '')}`)
  }
  return new LoginError(error instanceof oauth.OperationProcessingError ? 'refused' : 'unavailable', textOf(error))
}

function textOf(error: unknown): string {
  return error instanceof Error ? printable(error.message) : String(error)
}

/** The claims that decide: those of the ID token take precedence. */
export function allClaims({ idClaims, userInfo }: Pick<Identity, 'idClaims' | 'userInfo'>): JsonObject {
  return { ...userInfo, ...idClaims }
}

/** The first value of a claim, in bytes. */
export function claimText(claims: JsonObject, name: string): string | undefined {
  return claimValues(claims, name, 'whole')[0]
}
