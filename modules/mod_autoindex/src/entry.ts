/** One line of a listing. */
export interface Entry {
  /** The name, with a slash after a folder's; for the parent, its whole URL path. */
  readonly name: string
  readonly isParent: boolean
  /** True for folders that are listed before files. */
  readonly comesFirst: boolean
  /** In bytes; -1 if not shown. */
  readonly size: number
  /** Milliseconds since 1970; -1 if not shown. */
  readonly modifiedMs: number
  /** URL of the icon; null for the default one. */
  readonly icon: string | null
  readonly alt: string | null
  /** HTML markup. */
  readonly description: string | null
}
