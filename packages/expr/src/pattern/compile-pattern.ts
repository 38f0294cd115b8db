import { boundedPattern } from './bounded-pattern.ts'
import { CheckedPattern } from './checked-pattern.ts'
import { LongTextPattern } from './long-text-pattern.ts'
import { checkPattern } from './pattern-check.ts'
import { patternCost } from './pattern-cost.ts'
import { PatternError, PatternRefusal } from './pattern-error.ts'
import { registerGroups } from './pattern-groups.ts'
import type { PatternNode } from './pattern-node.ts'
import { parsePattern } from './pattern-parser.ts'
import { printPattern } from './pattern-printer.ts'
import { PatternReader } from './pattern-reader.ts'
import { RenumberedPattern } from './renumbered-pattern.ts'
import { requiredText } from './required-text.ts'

/** Options of a pattern, as set by RegexDefaultOptions and the pattern's flag `i`. */
export interface PatternFlags {
  /** Letters match in either case; ASCII letters only. Default false. */
  readonly ignoreCase?: boolean
  /** Blanks and `#` comments in the pattern are ignored. Default false. */
  readonly extended?: boolean
  /** `^` and `$` match at every line. Default false. */
  readonly multiline?: boolean
  /** `.` also matches a newline. Default true, as in httpd since 2.4.30. */
  readonly dotAll?: boolean
  /** `$` matches only at the very end, not before a final newline. Default true, as in httpd since 2.4.30. */
  readonly dollarEndOnly?: boolean
}

/** In bytes. PCRE's own limit, 64 KiB of compiled code, is reached by patterns of about this length. */
const LONGEST_PATTERN = 32768

/**
 * Translates a PCRE pattern to a RegExp for latin1 text (one character per byte) that matches exactly what
 * httpd's PCRE2 without UTF matches: classes, case and word boundaries follow ASCII rules. The RegExp has no
 * flags, `exec` numbers the groups as the pattern does, and `test` keeps no state. If a text could make a
 * match take too long, the RegExp may throw ExprRuntimeError. Constructs that cannot be translated exactly
 * are rejected with an error that names them: recursion, conditionals, branch reset, callouts, verbs, `\K`,
 * `\G`, `\X`, back references to groups that may be unset.
 */
export function compilePattern(source: string, flags: PatternFlags = {}): RegExp | PatternError {
  if (source.length > LONGEST_PATTERN) return new PatternError('pattern is too long', LONGEST_PATTERN, 'syntax')
  const reader = new PatternReader(source)
  try {
    const root = parsePattern(reader, {
      ignoreCase: flags.ignoreCase ?? false,
      multiline: flags.multiline ?? false,
      dotAll: flags.dotAll ?? true,
      extended: flags.extended ? 1 : 0,
      ungreedy: false,
      noAutoCapture: false,
      dollarEndOnly: flags.dollarEndOnly ?? true,
    })
    const unsteady = checkPattern(root, reader)
    const printed = printPattern(root, reader.groups)
    const plain = printed.helpers > 0 ? new RenumberedPattern(printed.source, printed.positions) : new RegExp(printed.source)
    // V8 compiles at the first match; run one now to detect a pattern that is too large for V8.
    plain.test('')
    const regexp = withBounds(plain, root, printed.helpers, source)
    registerGroups(regexp, reader.groups, unsteady)
    return regexp
  } catch (error) {
    if (error instanceof PatternRefusal) return error.refused
    if (error instanceof SyntaxError || error instanceof RangeError)
      return new PatternError('pattern is too large', 0, 'unsupported')
    throw error
  }
}

/**
 * Quadratic time is acceptable for a text of usual length (tenths of a second); cubic time is not, and
 * neither is quadratic time for a long text.
 */
function withBounds(pattern: RegExp, root: PatternNode, helpers: number, written: string): RegExp {
  const cost = patternCost(root)
  if (cost <= 64 * 8192) return pattern
  const bounded =
    cost > 64 * 8192 * 8192 ? boundedPattern(pattern, helpers, written) : new LongTextPattern(pattern, helpers, written)
  const required = requiredText(root)
  return required === null ? bounded : new CheckedPattern(bounded, required)
}
