import type { Problem } from '@gatewright/api'

/** An action that a read-time directive requests from the reader before the next line. */
export type ReadEffect =
  | { readonly kind: 'wait'; readonly done: Promise<Problem | undefined> }
  | { readonly kind: 'include'; readonly files: readonly string[] }
  | { readonly kind: 'insert'; readonly title: string; readonly lines: readonly string[] }
