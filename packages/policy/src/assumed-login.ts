import { createHash, randomBytes } from 'node:crypto'
import type { AuthnProvider, AuthnStatus } from '@gatewright/api'

/**
 * The users that are accepted without a password: those that a provider knows, or every user, regardless of
 * the password files.
 */
export type Logins = 'known' | 'anyone'

/**
 * Allows a question to name a user without a password: it sends a secret of this object, which counts as
 * correct for every user that a provider knows. The providers themselves are consulted, so an unknown user or
 * an unreadable file has the same result as in the server.
 */
export class AssumedLogin {
  readonly #logins: Logins

  /** @param logins which names count as users */
  constructor(logins: Logins = 'known') {
    this.#logins = logins
  }

  readonly password: string = randomBytes(16).toString('hex')

  /** Wraps a provider. */
  readonly decorate = (provider: AuthnProvider): AuthnProvider => {
    const { checkPassword, realmHash, decidesBy } = provider
    return {
      ...(decidesBy !== undefined && { decidesBy }),
      ...(checkPassword !== undefined && {
        checkPassword: (request, user, password) => {
          if (password === this.password && this.#logins === 'anyone') return 'granted'
          const status = checkPassword.call(provider, request, user, password)
          if (password !== this.password) return status
          return typeof status === 'string' ? known(status) : status.then(known)
        },
      }),
      ...(realmHash !== undefined && {
        realmHash: (request, user, realm) => {
          const asked = this.#isAsked(request.headersIn.get(ASSUMED_FIELD))
          if (asked && this.#logins === 'anyone') return this.#hash(user, realm)
          const found = realmHash.call(provider, request, user, realm)
          if (!asked) return found
          const ours = (hash: string): string =>
            hash === 'not-found' || hash === 'general-error' ? hash : this.#hash(user, realm)
          return typeof found === 'string' ? ours(found) : found.then(ours)
        },
      }),
      userNames: (request) => provider.userNames?.(request) ?? [],
    }
  }

  #isAsked(field: string | undefined): boolean {
    return field === this.password
  }

  #hash(user: string, realm: string): string {
    return createHash('md5').update(`${user}:${realm}:${this.password}`, 'latin1').digest('hex')
  }
}

/** Carries the secret with a request whose credentials do not show it: a Digest response is a hash. */
export const ASSUMED_FIELD = 'X-Gatewright-Assumed-Login'

/** Only the password of a known user can be wrong. */
function known(status: AuthnStatus): AuthnStatus {
  return status === 'denied' ? 'granted' : status
}
