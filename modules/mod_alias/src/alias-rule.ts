import type { DirectivePlace, Pattern } from '@gatewright/api'
import type { Template } from '@gatewright/api/text'

/** `Alias` or `ScriptAlias` with two arguments. */
export interface PrefixAlias {
  readonly kind: 'prefix'
  readonly prefix: string
  /** Absolute; a trailing slash is kept. */
  readonly target: string
  readonly handler: string | null
  readonly place: DirectivePlace
}

/** `AliasMatch` or `ScriptAliasMatch`. */
export interface PatternAlias {
  readonly kind: 'pattern'
  readonly pattern: Pattern
  readonly target: Template
  readonly handler: string | null
  /** The folder that a relative result refers to. */
  readonly serverRoot: string
  readonly place: DirectivePlace
}

export type AliasRule = PrefixAlias | PatternAlias
