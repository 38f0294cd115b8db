import { type ProviderGroupKey, providerGroup } from './providers.ts'
import type { Request } from './request.ts'

/**
 * A module that authenticates requests by tokens with claims. `Require claim` decides by the claims of all such modules.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface ClaimSource {
  /**
   * How `Require claim` reads a line that could have either form: `values` as a claim and its values, `pairs` as a list of
   * `claim:value` and `claim~pattern`.
   */
  readonly form: 'values' | 'pairs'
  /** The claims that the module has verified for a request; undefined if it has not authenticated it. */
  claims(request: Request): Readonly<Record<string, unknown>> | undefined
}

/**
 * The modules that know claims, by their AuthType.
 * @since 2.4.6
 */
export const claimSources: ProviderGroupKey<ClaimSource> = providerGroup('auth:claims')
