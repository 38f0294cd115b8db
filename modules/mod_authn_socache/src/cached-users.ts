import type { AuthnProvider, AuthnStatus, MaybePromise, ModuleHost, Request } from '@gatewright/api'
import type { FoundCredentials } from '@gatewright/api/peers'
import { systemError } from '@gatewright/api/text'
import { cacheKey } from './cache-key.ts'
import type { CacheConfig, CacheServerConfig } from './config.ts'
import type { CredentialCache } from './credential-cache.ts'

/** Codes of the log messages about a cache look-up. */
interface Codes {
  readonly absent: string
  readonly found: string
}
const PASSWORD: Codes = { absent: 'AH01684', found: 'AH01685' }
const REALM: Codes = { absent: 'AH01687', found: 'AH01688' }

/** The error for an entry that is larger than the cache. */
const TOO_LARGE = systemError(28)

/** The authentication provider `socache`: it knows the users that other providers found recently. */
export class CachedUsers implements AuthnProvider {
  readonly decidesBy = 'configuration'
  readonly #host: ModuleHost<CacheConfig, CacheServerConfig>
  /** null until a configuration requires a cache; a .htaccess file alone does not. */
  #cache: CredentialCache | null = null

  constructor(host: ModuleHost<CacheConfig, CacheServerConfig>) {
    this.#host = host
  }

  keepIn(cache: CredentialCache): void {
    this.#cache = cache
  }

  checkPassword(request: Request, user: string, password: string): MaybePromise<AuthnStatus> {
    const hash = this.#find(request, user, null, PASSWORD)
    if (hash === undefined) return 'not-found'
    const matches = this.#host.services.verifyPassword(hash, password, request)
    return typeof matches === 'boolean' ? statusOf(matches) : matches.then(statusOf)
  }

  realmHash(request: Request, user: string, realm: string): string {
    return this.#find(request, user, realm, REALM) ?? 'not-found'
  }

  /** Caches a provider's result if AuthnCacheProvideFor lists the provider. */
  store(request: Request, { provider, user, realm, hash }: FoundCredentials): void {
    const { configOf, log } = this.#host
    const { providers, timeout, context = 'directory' } = configOf(request)
    if (this.#cache === null || providers?.includes(provider) !== true) return
    if (this.#cache.set(cacheKey(request, context, user, realm), hash, timeout)) {
      log.write(request, 'debug', 'AH01681', `Cached authn credentials for ${user} in ${context}`)
    } else {
      log.write(request, 'error', 'AH01682', `Failed to cache authn credentials for ${provider} in ${context}`, TOO_LARGE)
    }
  }

  #find(request: Request, user: string, realm: string | null, codes: Codes): string | undefined {
    const { configOf, log } = this.#host
    const { providers, context = 'directory' } = configOf(request)
    if (this.#cache === null || providers === undefined) return undefined
    const hash = this.#cache.get(cacheKey(request, context, user, realm))
    if (hash === undefined) log.write(request, 'debug', codes.absent, `Authn cache: no credentials found for ${user}`)
    else log.write(request, 'debug', codes.found, `Authn cache: found credentials for ${user}`)
    return hash
  }
}

function statusOf(matches: boolean): AuthnStatus {
  return matches ? 'granted' : 'denied'
}
