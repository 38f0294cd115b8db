import { createHash, randomBytes } from 'node:crypto'
import type { AuthnProvider, AuthnStatus } from '@gatewright/api'

/** Whose name counts without a password: users whom a provider knows, or anybody, whatever the password files hold. */
export type Logins = 'known' | 'anyone'

/**
 * Lets a question name a user without a password: the password that is sent then is a secret of this object, and counts as right for every user whom a provider
 * knows. The providers themselves are asked, so a user who does not exist, or a file that cannot be read, ends as it would.
 */
export class AssumedLogin {
  private readonly logins: Logins

  /** @param logins which names count as users */
  constructor(logins: Logins = 'known') {
    this.logins = logins
  }

  readonly password: string = randomBytes(16).toString('hex')

  /** Stands in front of a provider. */
  readonly decorate = (provider: AuthnProvider): AuthnProvider => {
    const { checkPassword, realmHash, decidesBy } = provider
    return {
      ...(decidesBy !== undefined && { decidesBy }),
      ...(checkPassword !== undefined && {
        checkPassword: (request, user, password) => {
          if (password === this.password && this.logins === 'anyone') return 'granted'
          const status = checkPassword.call(provider, request, user, password)
          if (password !== this.password) return status
          return typeof status === 'string' ? known(status) : status.then(known)
        },
      }),
      ...(realmHash !== undefined && {
        realmHash: (request, user, realm) => {
          const asked = this.isAsked(request.headersIn.get(ASSUMED_FIELD))
          if (asked && this.logins === 'anyone') return this.hash(user, realm)
          const found = realmHash.call(provider, request, user, realm)
          if (!asked) return found
          const ours = (hash: string): string =>
            hash === 'not-found' || hash === 'general-error' ? hash : this.hash(user, realm)
          return typeof found === 'string' ? ours(found) : found.then(ours)
        },
      }),
      userNames: (request) => provider.userNames?.(request) ?? [],
    }
  }

  private isAsked(field: string | undefined): boolean {
    return field === this.password
  }

  private hash(user: string, realm: string): string {
    return createHash('md5').update(`${user}:${realm}:${this.password}`, 'latin1').digest('hex')
  }
}

/** Carries the secret with a request whose credentials do not show it: a Digest response is a hash. */
export const ASSUMED_FIELD = 'X-Gatewright-Assumed-Login'

/** A wrong password is the only thing that is wrong with a user who is known. */
function known(status: AuthnStatus): AuthnStatus {
  return status === 'denied' ? 'granted' : status
}
