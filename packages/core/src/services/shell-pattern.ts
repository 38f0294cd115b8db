import type { ShellPattern, ShellPatternRules } from '@gatewright/api'
import { fnmatch } from '@gatewright/expr'

/** Compiles a pattern with `*`, `?` and `[...]`, as fnmatch compares them. */
export function compileShellPattern(source: string, { leadingDot, backslash }: ShellPatternRules = {}): ShellPattern {
  return fnmatch(source, { period: leadingDot === 'literal', noEscape: backslash === 'ordinary' })
}
