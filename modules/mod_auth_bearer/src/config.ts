import type { KeySource } from '@gatewright/tokens'
import type { Introspection } from './introspection.ts'

/** Configuration of one section, or of several merged ones. undefined means not set. */
export interface BearerConfig {
  /** AuthBearerAlgorithms. */
  algorithms?: readonly string[]
  /** AuthBearerKeys. */
  keys?: KeySource
  /** AuthBearerIssuer. */
  issuer?: string
  /** AuthBearerAudience. */
  audience?: readonly string[]
  /** AuthBearerSkew, in seconds. */
  skew?: number
  /** AuthBearerTokenType; '' for any. */
  type?: string
  /** AuthBearerUserClaim. */
  userClaim?: string
  /** AuthBearerIntrospection. */
  introspection?: Introspection
}

export const STANDARD_SKEW = 30
export const STANDARD_USER_CLAIM = 'sub'

export function mergeBearer(base: Readonly<BearerConfig>, over: Readonly<BearerConfig>): BearerConfig {
  return {
    algorithms: over.algorithms ?? base.algorithms,
    // A section that names one way to verify tokens does not keep the other one.
    keys: over.keys ?? (over.introspection === undefined ? base.keys : undefined),
    introspection: over.introspection ?? (over.keys === undefined ? base.introspection : undefined),
    issuer: over.issuer ?? base.issuer,
    audience: over.audience ?? base.audience,
    skew: over.skew ?? base.skew,
    type: over.type ?? base.type,
    userClaim: over.userClaim ?? base.userClaim,
  }
}
