import type { Verdict } from './site.ts'

/** Where this server says something else than httpd, and means it. */
export interface Difference {
  readonly why: string
  readonly verdict: Verdict
}

export const DIFFERENCES: ReadonlyMap<string, Difference> = new Map()
