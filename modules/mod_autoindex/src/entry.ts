/** One line of a listing. */
export interface Entry {
  /** Name with a slash behind a folder's; of the parent its whole URL path. */
  readonly name: string
  readonly isParent: boolean
  /** True where folders are listed before files. */
  readonly comesFirst: boolean
  /** Bytes, -1 when it is not shown. */
  readonly size: number
  /** Milliseconds since 1970, -1 when it is not shown. */
  readonly modifiedMs: number
  /** URL of the icon; null for the default one. */
  readonly icon: string | null
  readonly alt: string | null
  /** Markup. */
  readonly description: string | null
}
