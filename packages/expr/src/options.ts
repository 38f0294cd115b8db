import type { ExprLookup } from './lookup.ts'
import type { PatternFlags } from './pattern/compile-pattern.ts'

export interface ExprOptions<R> {
  readonly lookup: ExprLookup<R>
  /**
   * `restricted` in .htaccess files, where functions that read files are rejected. Default `unrestricted`.
   */
  readonly context?: 'restricted' | 'unrestricted'
  /**
   * Defaults for regular expressions (RegexDefaultOptions); the flag `i` of an expression is added to them.
   */
  readonly pattern?: PatternFlags
}
