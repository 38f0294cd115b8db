import type { MaybePromise, ModuleHost, Request } from '@gatewright/api'
import type { BasicConfig } from './config.ts'

/**
 * Takes as long as a wrong password of a known user, so that the delay does not show which names exist:
 * computes one hash, as expensive as the most expensive one of the queried providers. Skipped if an unknown
 * user is passed to other modules, and for comparisons with Digest hashes, which take no time.
 */
export function refuseUnknownUser(
  { configOf, providers, services }: ModuleHost<BasicConfig, undefined>,
  request: Request,
  password: string,
): MaybePromise<false> {
  const { authoritative, digest, providers: listed } = configOf(request)
  if (authoritative === false || digest === true) return false
  if (listed === undefined) return services.refusePassword(providers.authn.get('file')?.decoy?.(request), password, request)
  const decoys = listed.map(({ provider }) => provider.decoy?.(request)).filter((decoy) => decoy !== undefined)
  return services.refusePassword(services.costliestHash(decoys), password, request)
}
