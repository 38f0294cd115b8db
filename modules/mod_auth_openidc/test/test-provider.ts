import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { escapeHtml } from '@gatewright/api/text'
import { exportJWK, type JWTPayload, SignJWT } from 'jose'

const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** A code that was given to a client. */
interface Given {
  readonly parameters: URLSearchParams
  used: boolean
}

/** An OpenID Connect provider that a test can break. It logs every client in as alice. */
export class TestProvider {
  readonly #server: Server
  readonly #codes = new Map<string, Given>()
  readonly key: KeyObject = EC.privateKey
  /** Requests by their path. */
  readonly asked: string[] = []
  /** The cookies and credentials that came to the token endpoint last. */
  lastToken: { readonly authorization: string; readonly cookie: string; readonly form: URLSearchParams } | null = null
  claims: Readonly<Record<string, unknown>> = {}
  userInfo: Readonly<Record<string, unknown>> = { sub: 'alice', email: 'alice@example.org', name: 'Älice' }
  metadata: Readonly<Record<string, unknown>> = {}
  keys: object[] = []
  /** Makes another ID token from the usual claims. */
  idToken: (claims: JWTPayload) => Promise<string> = (claims) => this.sign(claims)
  /** Answers a path in its own way; true if it has. */
  instead: (path: string, response: ServerResponse) => boolean = () => false
  /** Whether the authorization endpoint shows a form with a button, in place of sending everybody back. */
  showsForm = false
  /** Seconds for which an access token is valid. */
  expiresIn = 300
  /** The refresh tokens that were taken; the valid one is `the refresh token`, then `refresh token 1` and so on. */
  readonly refreshed: string[] = []
  /** The tokens that were revoked, with their kinds. */
  readonly revoked: string[] = []
  /** What the token endpoint adds to its answer to a refresh. */
  refreshResponse: () => Promise<Readonly<Record<string, unknown>>> = () => Promise.resolve({})
  /** What the authorization endpoint adds to its response. */
  response: Readonly<Record<string, string>> = {}

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => void chunks.push(chunk))
      request.on('end', () => {
        this.#answer(request, Buffer.concat(chunks).toString(), response).catch((error: unknown) => {
          response.writeHead(500).end(String(error))
        })
      })
    })
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.keys = [{ ...(await exportJWK(EC.publicKey)), kid: 'ec', use: 'sig', alg: 'ES256' }]
  }

  get url(): string {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the provider does not listen')
    return `http://127.0.0.1:${address.port}`
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => void this.#server.close(() => resolve()))
  }

  sign(claims: JWTPayload, header: Readonly<Record<string, unknown>> = {}, key: KeyObject = this.key): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'ec', ...header }).sign(key)
  }

  /** Logs in at the URL to which a client was sent. @returns the URL to which it is sent back */
  async login(location: string): Promise<URL> {
    const response = await fetch(location, { redirect: 'manual' })
    await response.body?.cancel()
    return new URL(response.headers.get('location') ?? 'about:nowhere')
  }

  async #answer(request: IncomingMessage, body: string, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url)
    this.asked.push(url.pathname)
    if (this.instead(url.pathname, response)) return
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json(response, 200, {
          issuer: this.url,
          authorization_endpoint: `${this.url}/authorize`,
          token_endpoint: `${this.url}/token`,
          jwks_uri: `${this.url}/jwks`,
          userinfo_endpoint: `${this.url}/userinfo`,
          id_token_signing_alg_values_supported: ['ES256'],
          ...this.metadata,
        })
      case '/jwks':
        return json(response, 200, { keys: this.keys })
      case '/authorize': {
        if (this.showsForm && !url.searchParams.has('agreed')) {
          const fields = [...url.searchParams, ['agreed', 'yes']].map(
            ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
          )
          const page = `<!DOCTYPE html><title>Provider</title><form action="/authorize">${fields.join('')}<button>Log in as alice</button></form>`
          response.writeHead(200, { 'Content-Type': 'text/html' }).end(page)
          return
        }
        const code = randomBytes(12).toString('hex')
        this.#codes.set(code, { parameters: url.searchParams, used: false })
        const back = new URL(url.searchParams.get('redirect_uri') ?? '')
        back.searchParams.set('code', code)
        back.searchParams.set('state', url.searchParams.get('state') ?? '')
        for (const [name, value] of Object.entries(this.response)) back.searchParams.set(name, value)
        response.writeHead(302, { Location: back.href }).end()
        return
      }
      case '/token':
        return this.#token(request, new URLSearchParams(body), response)
      case '/revoke': {
        const form = new URLSearchParams(body)
        this.revoked.push(`${form.get('token_type_hint')}: ${form.get('token')}`)
        response.writeHead(200).end()
        return
      }
      case '/userinfo':
        return json(response, 200, this.userInfo)
      default:
        return json(response, 404, {})
    }
  }

  async #token({ headers }: IncomingMessage, form: URLSearchParams, response: ServerResponse): Promise<void> {
    this.lastToken = { authorization: headers.authorization ?? '', cookie: headers.cookie ?? '', form }
    if (form.get('grant_type') === 'refresh_token') return this.#refresh(form.get('refresh_token') ?? '', response)
    const given = this.#codes.get(form.get('code') ?? '')
    if (given === undefined || given.used) return json(response, 400, { error: 'invalid_grant' })
    given.used = true
    const { parameters } = given
    const now = Math.floor(Date.now() / 1_000)
    const usual: Record<string, unknown> = {
      iss: this.url,
      sub: 'alice',
      aud: parameters.get('client_id') ?? '',
      exp: now + 600,
      iat: now,
      nonce: parameters.get('nonce') ?? undefined,
      ...this.claims,
    }
    for (const [name, value] of Object.entries(usual)) if (value === undefined) delete usual[name]
    return json(response, 200, {
      access_token: 'the access token',
      token_type: 'Bearer',
      expires_in: this.expiresIn,
      refresh_token: 'the refresh token',
      id_token: await this.idToken(usual),
    })
  }

  /** A refresh token is taken once, as by providers that rotate them. */
  async #refresh(token: string, response: ServerResponse): Promise<void> {
    const count = this.refreshed.length
    this.refreshed.push(token)
    const isValid = token === (count === 0 ? 'the refresh token' : `refresh token ${count}`)
    if (!isValid) return json(response, 400, { error: 'invalid_grant' })
    return json(response, 200, {
      access_token: `access token ${count + 1}`,
      token_type: 'Bearer',
      expires_in: this.expiresIn,
      refresh_token: `refresh token ${count + 1}`,
      ...(await this.refreshResponse()),
    })
  }
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
}
