import type { Text } from '@gatewright/api'
import type { Authorizer } from './authorizer.ts'

/** Configuration of a server: what AuthnzFcgiDefineProvider has defined, in order. */
export interface DefinedAuthorizers {
  readonly authorizers: Authorizer[]
}

export function createDefined(): DefinedAuthorizers {
  return { authorizers: [] }
}

export function mergeDefined(base: Readonly<DefinedAuthorizers>, over: Readonly<DefinedAuthorizers>): DefinedAuthorizers {
  return { authorizers: [...base.authorizers, ...over.authorizers] }
}

/** Configuration of one section, or of several merged ones: AuthnzFcgiCheckAuthnProvider. undefined means not set. */
export interface CheckConfig {
  /** The name of an authorizer; null for `None`. */
  provider?: string | null
  authoritative?: boolean
  requireBasic?: boolean
  userExpression?: Text
  defaultUser?: string
}

export function mergeCheck(base: Readonly<CheckConfig>, over: Readonly<CheckConfig>): CheckConfig {
  return {
    provider: over.provider === undefined ? base.provider : over.provider,
    authoritative: over.authoritative ?? base.authoritative,
    requireBasic: over.requireBasic ?? base.requireBasic,
    userExpression: over.userExpression ?? base.userExpression,
    defaultUser: over.defaultUser ?? base.defaultUser,
  }
}
