import type { Run } from '../run.ts'

/** A RewriteMap, as substitutions use it. */
export interface RewriteMap {
  /** The value of a key, or null. While the run waits, the result is meaningless. */
  find(key: string, run: Run): string | null
  /** The query of a map of type `dbd` or `fastdbd`. */
  readonly query?: string
}

/** Logs the result of a look-up. */
export function traceLookup(run: Run, map: string, key: string, value: string | null): void {
  if (run.trace === null) return
  if (value === null) run.trace.write(5, null, `map lookup FAILED: map=${map} key=${key}`)
  else run.trace.write(5, null, `map lookup OK: map=${map} key=${key} -> val=${value}`)
}
