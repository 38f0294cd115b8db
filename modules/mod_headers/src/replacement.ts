import type { Pattern } from '@gatewright/api'

/**
 * Compiles a pattern so that a match tells where it is: a last group takes everything that follows, which changes neither the match nor the numbers
 * of the pattern's own groups.
 * @param compile the host's pattern compiler
 */
export function compileSearch(
  source: string,
  compile: (source: string) => Pattern | { readonly error: string },
): Pattern | { readonly error: string } {
  // Alone first: what surrounds it must not mend a pattern that is wrong.
  const alone = compile(source)
  return 'error' in alone ? alone : compile(`(?:${source})([\\s\\S]*)`)
}

/**
 * Replaces the first match, or all of them. Each search begins behind the match before it as if the text began there, so `^` matches there again
 * (httpd's rule). In the replacement `$0` to `$9` are groups of the match, and a backslash takes its meaning from the character behind it.
 * @param search made by {@link compileSearch}
 */
export function replace(text: string, search: Pattern, replacement: string, matches: 'first' | 'all'): string {
  let done = ''
  let rest = text
  for (;;) {
    const groups = search.match(rest)
    if (groups === null) return done + rest
    const behind = groups[groups.length - 1]
    const from = rest.length - groups[0].length
    done += rest.slice(0, from) + expand(replacement, groups, rest.slice(from, rest.length - behind.length))
    if (matches === 'first' || behind === '') return done + behind
    if (behind.length < groups[0].length) {
      rest = behind
    } else {
      // Nothing was matched: go on behind the next character, or there would be no end.
      done += behind[0]
      rest = behind.slice(1)
    }
  }
}

function expand(replacement: string, groups: readonly string[], matched: string): string {
  if (!replacement.includes('$') && !replacement.includes('\\')) return replacement
  let text = ''
  for (let at = 0; at < replacement.length; at++) {
    const character = replacement[at]
    const next = replacement.charCodeAt(at + 1)
    if (character === '$' && next >= 0x30 && next <= 0x39) {
      const number = next - 0x30
      text += number === 0 ? matched : number < groups.length - 1 ? groups[number] : ''
      at++
    } else if (character === '\\' && at + 1 < replacement.length) {
      text += replacement[++at]
    } else {
      text += character
    }
  }
  return text
}
