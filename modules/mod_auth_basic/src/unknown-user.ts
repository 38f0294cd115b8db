import type { MaybePromise, ModuleHost, Request } from '@gatewright/api'
import type { BasicConfig } from './basic-config.ts'

/**
 * Takes the time that a wrong password of a known user takes, so that the delay does not tell which names exist: one hash, as costly as the costliest that the asked
 * providers hold. Not where an unknown user is left to other modules, and not for comparisons with Digest hashes, which take no time.
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
