import type { AuthnProvider, AuthnStatus, ModuleHost, Request, SharedStore } from '@gatewright/api'
import type { FoundCredentials } from '@gatewright/api/peers'
import { cacheKey } from './cache-key.ts'
import type { CacheConfig, CacheServerConfig } from './config.ts'

/** Codes of the log messages about a cache look-up. */
interface Codes {
  readonly absent: string
  readonly found: string
}
const PASSWORD: Codes = { absent: 'AH01684', found: 'AH01685' }
const REALM: Codes = { absent: 'AH01687', found: 'AH01688' }

/** The authentication provider `socache`: it knows the users that other providers found recently. */
export class CachedUsers implements AuthnProvider {
  readonly decidesBy = 'configuration'
  readonly #host: ModuleHost<CacheConfig, CacheServerConfig>
  /** null until a configuration requires a cache; a .htaccess file alone does not. */
  #cache: SharedStore | null = null

  constructor(host: ModuleHost<CacheConfig, CacheServerConfig>) {
    this.#host = host
  }

  keepIn(cache: SharedStore): void {
    this.#cache = cache
  }

  async checkPassword(request: Request, user: string, password: string): Promise<AuthnStatus> {
    const hash = await this.#find(request, user, null, PASSWORD)
    if (hash === undefined) return 'not-found'
    return (await this.#host.services.verifyPassword(hash, password, request)) ? 'granted' : 'denied'
  }

  async realmHash(request: Request, user: string, realm: string): Promise<string> {
    return (await this.#find(request, user, realm, REALM)) ?? 'not-found'
  }

  /** Caches a provider's result if AuthnCacheProvideFor lists the provider. */
  store(request: Request, { provider, user, realm, hash }: FoundCredentials): void {
    const { configOf, log } = this.#host
    const { providers, timeout, context = 'directory' } = configOf(request)
    if (this.#cache === null || request.tracer !== null || providers?.includes(provider) !== true) return
    if (timeout > 0) this.#cache.set(cacheKey(request, context, user, realm), Buffer.from(hash, 'latin1'), timeout)
    log.write(request, 'debug', 'AH01681', `Cached authn credentials for ${user} in ${context}`)
  }

  async #find(request: Request, user: string, realm: string | null, codes: Codes): Promise<string | undefined> {
    const { configOf, log } = this.#host
    const { providers, context = 'directory' } = configOf(request)
    // An explanation asks the provider itself.
    if (this.#cache === null || request.tracer !== null || providers === undefined) return undefined
    const bytes = await this.#cache.get(cacheKey(request, context, user, realm))
    const hash = bytes === undefined ? undefined : Buffer.from(bytes).toString('latin1')
    if (hash === undefined) log.write(request, 'debug', codes.absent, `Authn cache: no credentials found for ${user}`)
    else log.write(request, 'debug', codes.found, `Authn cache: found credentials for ${user}`)
    return hash
  }
}
