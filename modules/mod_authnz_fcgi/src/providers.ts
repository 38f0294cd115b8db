import type { AuthnProvider, AuthnStatus, AuthzCheck, AuthzProvider, AuthzStatus, Request } from '@gatewright/api'
import type { Authorizer } from './authorizer.ts'

/** Checks passwords: `AuthBasicProvider NAME`. */
export class AuthnByAuthorizer implements AuthnProvider {
  readonly #authorizer: Authorizer

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer
  }

  checkPassword(request: Request, _user: string, password: string): Promise<AuthnStatus> {
    return this.#authorizer.checkPassword(request, password)
  }
}

/** Decides: `Require NAME`. */
export class AuthzByAuthorizer implements AuthzProvider {
  readonly #authorizer: Authorizer

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer
  }

  parse(argument: string): AuthzCheck | string {
    if (argument !== '') return "mod_authnz_fcgi doesn't support restrictions on providers (i.e., multiple require args)"
    return (request): AuthzStatus | Promise<AuthzStatus> =>
      request.user === null ? 'denied-no-user' : this.#authorizer.authorize(request)
  }
}
