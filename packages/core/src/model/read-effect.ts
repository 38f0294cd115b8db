import type { Problem } from '@gatewright/api'

/** Something a read-time directive asks the reader to do before the next line. */
export type ReadEffect =
  | { readonly kind: 'wait'; readonly done: Promise<Problem | undefined> }
  | { readonly kind: 'include'; readonly files: readonly string[] }
  | { readonly kind: 'insert'; readonly title: string; readonly lines: readonly string[] }
