import type { Pattern } from '@gatewright/api'
import type { Template } from '@gatewright/api/text'

/** `Alias` or `ScriptAlias` with two arguments. */
export interface PrefixAlias {
  readonly kind: 'prefix'
  readonly prefix: string
  /** Absolute; a trailing slash is kept. */
  readonly target: string
  readonly handler: string | null
}

/** `AliasMatch` or `ScriptAliasMatch`. */
export interface PatternAlias {
  readonly kind: 'pattern'
  readonly pattern: Pattern
  readonly target: Template
  readonly handler: string | null
  /** The folder that a relative result refers to. */
  readonly serverRoot: string
}

export type AliasRule = PrefixAlias | PatternAlias
