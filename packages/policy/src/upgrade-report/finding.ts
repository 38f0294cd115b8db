/** What a finding is about. */
export type FindingKind = 'directive' | 'default' | 'module' | 'option' | 'access'

/**
 * What is to be done about it: `must`, or the server does not start, or lets in whom it kept out; `look`, it loads, and something is otherwise than before; `know`,
 * nothing has to be done.
 */
export type Weight = 'must' | 'look' | 'know'

/** One thing that is worth telling about a configuration on its way to 2.4. */
export interface UpgradeFinding {
  readonly kind: FindingKind
  readonly weight: Weight
  /** null where it stands in no file. */
  readonly place: Place | null
  /** The line, or the beginning of the section, as it stands; the name of a directive that does not stand. */
  readonly subject: string
  /** What is the matter, for people. */
  readonly text: string
  /** Lines that may stand in its place, none for nothing; null where there is nothing to write. */
  readonly instead: readonly string[] | null
  /** Who does it: `gatewright migrate`, or a person; null where nothing has to be done. */
  readonly by: 'migrate' | 'hand' | null
}

export interface Place {
  readonly file: string
  /** 0 for the whole file. */
  readonly line: number
}
