/** The subject of a finding. */
export type FindingKind = 'directive' | 'default' | 'module' | 'option' | 'access'

/**
 * The action that a finding requires: `must`, or the server does not start, or grants what it denied; `look`,
 * it loads, but something differs from before; `know`, no action.
 */
export type Weight = 'must' | 'look' | 'know'

/** A remark about upgrading a configuration to 2.4. */
export interface UpgradeFinding {
  readonly kind: FindingKind
  readonly weight: Weight
  /** null if it does not appear in a file. */
  readonly place: Place | null
  /** The line, or the start of the section, as written; the name of a directive that does not appear. */
  readonly subject: string
  /** The problem, for people. */
  readonly text: string
  /** Lines that can replace it, empty to remove it; null if there is nothing to write. */
  readonly instead: readonly string[] | null
  /** Who makes the change: `gatewright migrate`, or a person; null if no action is required. */
  readonly by: 'migrate' | 'hand' | null
}

export interface Place {
  readonly file: string
  /** 0 for the whole file. */
  readonly line: number
}
