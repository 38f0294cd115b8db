import type { ExprLookup } from './lookup.ts'
import type { PatternFlags } from './pattern/compile-pattern.ts'

export interface ExprOptions<R> {
  readonly lookup: ExprLookup<R>
  /**
   * `restricted` in .htaccess files, where functions that read files are rejected; `page` in pages, where operators that
   * test files are rejected too. Default `unrestricted`.
   */
  readonly context?: 'restricted' | 'page' | 'unrestricted'
  /**
   * Defaults for regular expressions (RegexDefaultOptions); the flag `i` of an expression is added to them.
   */
  readonly pattern?: PatternFlags
  /**
   * `by length` for SSLRequire: all comparisons, of numbers too, are those of texts, and a shorter text is less
   * than a longer one. Default `usual`.
   */
  readonly comparisons?: 'usual' | 'by length'
}
