import type { MaybePromise } from './outcome.ts'
import type { AuthnProvider, AuthnStatus } from './providers.ts'
import type { Request } from './request.ts'
import type { HostServices } from './services.ts'

/**
 * Asks providers in their order, until one knows the user.
 * @param ask what a provider says; called once for each provider that is asked
 * @returns `not-found` if none knows the user
 * @since 2.4.6
 */
export function askInTurn(
  providers: readonly AuthnProvider[],
  ask: (provider: AuthnProvider) => MaybePromise<AuthnStatus>,
  first = 0,
): MaybePromise<AuthnStatus> {
  for (let index = first; index < providers.length; index++) {
    const status = ask(providers[index])
    if (status instanceof Promise) {
      return status.then((late) => (late === 'not-found' ? askInTurn(providers, ask, index + 1) : late))
    }
    if (status !== 'not-found') return status
  }
  return 'not-found'
}

/**
 * Takes as long as a wrong password of a known user, so that the delay does not show which names exist: computes one hash,
 * as expensive as the most expensive one of the providers that were asked.
 * @since 2.4.6
 */
export function refuseUnknownUser(
  services: HostServices,
  providers: readonly AuthnProvider[],
  request: Request,
  password: string,
): MaybePromise<false> {
  const decoys = providers.map((provider) => provider.decoy?.(request)).filter((decoy) => decoy !== undefined)
  return services.refusePassword(services.costliestHash(decoys), password, request)
}
