import type { AuthzCheck, Condition, DirectivePlace, Text } from '@gatewright/api'
import type { Network } from '@gatewright/ipset'
import type { FieldNames } from './field-names.ts'

/** One AuthRequestSet line. */
export interface SetField {
  readonly name: string
  readonly value: Text
  readonly place: DirectivePlace
}

/** One AuthRequestGroups line: the names whose check grants access are sent. */
export interface GroupsField {
  readonly name: string
  readonly groups: readonly { readonly name: string; readonly check: AuthzCheck }[]
}

/** AuthRequestReason. */
export interface ReasonField {
  readonly name: string
  /** null for everybody. */
  readonly who: Condition | null
}

/** AuthRequestFields. */
export interface ProxyFields {
  readonly names: FieldNames
  /** Names of the fields that the question has in addition to those of the original request. */
  readonly added: readonly string[]
  /** nginx knows three kinds of answers only. */
  readonly isNginx: boolean
}

/** Configuration of one section, or of several merged ones. undefined means not set. */
export interface AuthRequestConfig {
  fields?: ProxyFields
  /** AuthRequestTrust. */
  trusted?: readonly Network[]
  sets?: readonly SetField[]
  groups?: readonly GroupsField[]
  /** AuthRequestReason; null for `none`. */
  reason?: ReasonField | null
  /** AuthRequestPaths. */
  paths?: 'strict' | 'any'
}

export function mergeConfig(base: Readonly<AuthRequestConfig>, over: Readonly<AuthRequestConfig>): AuthRequestConfig {
  return {
    fields: over.fields ?? base.fields,
    trusted: over.trusted ?? base.trusted,
    sets: over.sets ?? base.sets,
    groups: over.groups ?? base.groups,
    reason: over.reason === undefined ? base.reason : over.reason,
    paths: over.paths ?? base.paths,
  }
}
