import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { copyFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'

const PROGRAM = '/usr/bin/glewlwyd'
const SAMPLES = '/usr/share/doc/glewlwyd'
const SHARED = '/usr/share/glewlwyd'

/** This provider takes a secret as it is, without the encoding of RFC 6749, section 2.3.1: only letters are the same in both. */
export const CLIENT = { id: 'web', secret: 'secretOfTheClient' }
export const USER = { name: 'alice', password: 'password of alice' }

/** Whether this provider is installed: Debian's package of its name, and sqlite3. */
export function isGlewlwydInstalled(): boolean {
  return [PROGRAM, `${SAMPLES}/glewlwyd.conf.sample.gz`, SHARED, '/usr/bin/sqlite3'].every((path) => existsSync(path))
}

/** Glewlwyd, an OpenID Connect provider in C, with one client and one user. */
export class Glewlwyd {
  readonly url: string
  readonly #folder: string
  readonly #process: ChildProcess
  #cookie = ''

  private constructor(url: string, folder: string, process: ChildProcess) {
    this.url = url
    this.#folder = folder
    this.#process = process
  }

  /** The issuer of its tokens. */
  get issuer(): string {
    return `${this.url}/api/oidc`
  }

  /** @param seconds for which access tokens are valid */
  static async start(seconds: number): Promise<Glewlwyd> {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const folder = mkdtempSync(join(tmpdir(), 'gatewright-glewlwyd-'))
    const database = join(folder, 'db')
    execFileSync('sqlite3', [database], { input: sample('database/init.sqlite3.sql.gz') })
    const settings: Readonly<Record<string, string>> = {
      port: String(port),
      external_url: `"${url}"`,
      cookie_domain: '"127.0.0.1"',
      cookie_secure: '0',
      static_files_path: `"${pages(folder)}/"`,
      log_file: `"${join(folder, 'log')}"`,
    }
    let text = sample('glewlwyd.conf.sample.gz').replace(/"[^"\n]*glewlwyd\.db"/, `"${database}"`)
    for (const [name, value] of Object.entries(settings))
      text = text.replace(new RegExp(`^#?${name}=.*$`, 'm'), `${name}=${value}`)
    writeFileSync(
      join(folder, 'conf'),
      text.replace(/"[^"\n]*\/glewlwyd\/(user|user_middleware|client|plugin|scheme)"/g, `"${modules()}/$1"`),
    )
    const child = spawn(PROGRAM, ['--config-file', join(folder, 'conf')], { stdio: 'ignore' })
    const provider = new Glewlwyd(url, folder, child)
    await provider.#configure(seconds)
    return provider
  }

  async #configure(seconds: number): Promise<void> {
    for (;;) {
      const isUp = await fetch(`${this.url}/config`).then(
        ({ ok }) => ok,
        () => false,
      )
      if (isUp) break
      await pause(50)
    }
    // Those of its installation.
    await this.#call('/auth/', { username: 'admin', password: 'password' })
    const { privateKey, publicKey: verifying } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    await this.#call('/mod/plugin', {
      module: 'oidc',
      name: 'oidc',
      display_name: 'OIDC',
      parameters: {
        iss: this.issuer,
        'jwt-type': 'rsa',
        'jwt-key-size': '256',
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
        cert: verifying.export({ type: 'spki', format: 'pem' }),
        'access-token-duration': seconds,
        'refresh-token-duration': 3600,
        'code-duration': 600,
        'refresh-token-rolling': true,
        'refresh-token-one-use': 'always',
        'auth-type-code-enabled': true,
        'auth-type-refresh-enabled': true,
        'allow-non-oidc': true,
        'pkce-allowed': true,
        'introspection-revocation-allowed': true,
        'introspection-revocation-allow-target-client': true,
        'jwks-show': true,
        'session-management-allowed': true,
        'session-cookie-name': 'GLEWLWYD_OIDC',
        'session-cookie-expiration': 3600,
        // Also for assertions of clients.
        'request-parameter-allow': true,
        'request-maximum-exp': 3600,
        'client-pubkey-parameter': 'pubkey',
        'subject-type': 'public',
        claims: [{ name: 'nick', 'user-property': 'name', mandatory: true, type: 'string' }],
      },
    })
    await this.#call('/user/', { username: USER.name, name: 'Alice', password: USER.password, enabled: true, scope: ['openid'] })
  }

  /** @param publicKey proves who the client is, in place of its secret; undefined for the secret */
  async register(callback: string, publicKey?: string): Promise<void> {
    await this.#call('/client/', {
      client_id: CLIENT.id,
      name: CLIENT.id,
      enabled: true,
      confidential: true,
      client_secret: CLIENT.secret,
      redirect_uri: [callback],
      authorization_type: ['code', 'refresh_token'],
      token_endpoint_auth_method: [publicKey === undefined ? 'client_secret_basic' : 'private_key_jwt'],
      ...(publicKey !== undefined && { pubkey: publicKey }),
      scope: [],
    })
  }

  async #call(path: string, value: object): Promise<void> {
    const response = await fetch(`${this.url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: this.#cookie },
      body: JSON.stringify(value),
    })
    const cookies = response.headers.getSetCookie()
    if (cookies.length > 0) this.#cookie = cookies.map((text) => text.split(';')[0]).join('; ')
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve))
    this.#process.kill('SIGTERM')
    await ended
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function sample(name: string): string {
  return gunzipSync(readFileSync(join(SAMPLES, name))).toString()
}

/** The pages of the package. Its link to their configuration leads to a folder, and links are not followed. */
function pages(folder: string): string {
  const own = join(folder, 'webapp')
  cpSync(join(SHARED, 'webapp'), own, { recursive: true, dereference: true, filter: (path) => !path.endsWith('/config.json') })
  copyFileSync(join(SHARED, 'templates/config.json'), join(own, 'config.json'))
  return own
}

/** Where the package has its modules. */
function modules(): string {
  const folders = ['/usr/lib', ...readdirSync('/usr/lib').map((name) => join('/usr/lib', name))]
  return `${folders.find((folder) => existsSync(join(folder, 'glewlwyd/plugin')))}/glewlwyd`
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
