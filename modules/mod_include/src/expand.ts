/** What values refer to. */
export interface ValueSource {
  /** The value of a variable, or of a group of the last match for a digit; undefined for none. */
  valueOf(name: string): string | undefined
  /** `${` has no `}`. */
  reportOpenBrace(name: string): void
}

/**
 * Replaces `$NAME` and `${NAME}` in a value; `\$` is a dollar sign. A variable that does not exist is empty.
 * @returns null if the result has more than `limit` characters
 */
export function expand(text: string, source: ValueSource, limit: number): string | null {
  let result = ''
  let at = 0
  while (at < text.length) {
    if (result.length > limit) return null
    const special = text.slice(at).search(/[$\\]/)
    if (special < 0) return atMost(limit, result + text.slice(at))
    result += text.slice(at, at + special)
    at += special
    if (text[at] === '\\') {
      const escapes = text[at + 1] === '$'
      result += escapes ? '$' : '\\'
      at += escapes ? 2 : 1
      continue
    }
    const braced = text[at + 1] === '{'
    const end = braced ? text.indexOf('}', at) : endOfName(text, at + 1)
    if (end < 0) {
      source.reportOpenBrace(text.slice(at + 2))
      return atMost(limit, result)
    }
    const name = text.slice(at + (braced ? 2 : 1), end)
    if (name === '') result += braced ? '${}' : '$'
    else result += source.valueOf(name) ?? ''
    at = braced ? end + 1 : end
  }
  return atMost(limit, result)
}

function atMost(limit: number, text: string): string | null {
  return text.length <= limit ? text : null
}

function endOfName(text: string, from: number): number {
  let end = from
  while (end < text.length && /[A-Za-z0-9_]/.test(text[end])) end++
  return end
}
