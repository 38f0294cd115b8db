/** The source of values for `${NAME}`. */
export interface VariableLookup {
  /** The value, or undefined if the name is not defined. */
  value(name: string): string | undefined
  /** Called once per reference without a value; the text stays as written. */
  undefinedVariable(name: string): void
}

/**
 * Replaces every `${NAME}` of a raw line. Values are not expanded again, names with a colon are silently
 * ignored, and there is no escape.
 */
export function expandVariables(line: string, lookup: VariableLookup): string {
  let at = line.indexOf('${')
  if (at < 0) return line
  let out = ''
  let from = 0
  while (at >= 0) {
    const close = line.indexOf('}', at + 2)
    if (close < 0) break
    const name = line.slice(at + 2, close)
    const value = name.includes(':') ? undefined : lookup.value(name)
    if (value === undefined) {
      if (!name.includes(':')) lookup.undefinedVariable(name)
      // Continue after the dollar sign: `${${A}}` looks up the name `${A`, and the rest is plain text.
      out += line.slice(from, close + 1)
    } else {
      out += line.slice(from, at) + value
    }
    from = close + 1
    at = line.indexOf('${', from)
  }
  return out + line.slice(from)
}
