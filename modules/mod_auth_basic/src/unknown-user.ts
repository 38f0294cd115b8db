import { type MaybePromise, type ModuleHost, type Request, refuseUnknownUser } from '@gatewright/api'
import type { BasicConfig } from './config.ts'

/**
 * Lets the refusal of an unknown user take as long as that of a wrong password. Skipped if an unknown user is passed to
 * other modules, and for comparisons with Digest hashes, which take no time.
 */
export function refuseAsKnown(
  { configOf, providers, services }: ModuleHost<BasicConfig, undefined>,
  request: Request,
  password: string,
): MaybePromise<false> {
  const { authoritative, digest, providers: listed } = configOf(request)
  if (authoritative === false || digest === true) return false
  const file = providers.authn.get('file')
  const asked = listed?.map(({ provider }) => provider) ?? (file === undefined ? [] : [file])
  return refuseUnknownUser(services, asked, request, password)
}
