import type { Pattern } from '@gatewright/api'

/**
 * How a rule's text is tested. Most patterns in practice are plain words or anchored words, which need no
 * regular expression. `plain` is a literal in httpd's sense: values of its rule are used as written, without
 * groups.
 */
export type TextTest =
  | { readonly kind: 'plain'; readonly word: string; readonly foldCase: boolean }
  | { readonly kind: 'start' | 'end' | 'whole'; readonly word: string; readonly pattern: Pattern }
  | { readonly kind: 'pattern'; readonly pattern: Pattern }

/** Chooses the fastest test for a regular expression. */
export function textTest(source: string, foldCase: boolean, pattern: Pattern): TextTest {
  const plain = literalOf(source)
  if (plain !== null) return { kind: 'plain', word: foldCase ? plain.toLowerCase() : plain, foldCase }
  if (foldCase) return { kind: 'pattern', pattern }
  const atStart = source.startsWith('^')
  const atEnd = source.endsWith('$')
  const word = literalOf(source.slice(atStart ? 1 : 0, atEnd ? -1 : undefined))
  if (word === null || (!atStart && !atEnd) || !meansItself(pattern, word)) return { kind: 'pattern', pattern }
  return { kind: atStart ? (atEnd ? 'whole' : 'start') : 'end', word, pattern }
}

/** False if RegexDefaultOptions changes the meaning of the pattern: ignored case, ignored blanks. */
function meansItself(pattern: Pattern, word: string): boolean {
  if (!pattern.test(word)) return false
  const upper = word.toUpperCase()
  const other = upper === word ? word.toLowerCase() : upper
  return other === word || !pattern.test(other)
}

export function matches(test: TextTest, text: string): boolean {
  switch (test.kind) {
    case 'plain':
      return (test.foldCase ? text.toLowerCase() : text).includes(test.word)
    case 'start':
      return text.startsWith(test.word)
    case 'end':
      return text.endsWith(test.word)
    case 'whole':
      return text === test.word
    case 'pattern':
      return test.pattern.test(text)
  }
}

/** Groups of the match; none for a literal; null if the text does not match. */
export function groupsOf(test: TextTest, text: string): readonly string[] | null {
  if (test.kind === 'plain') return matches(test, text) ? [] : null
  return test.pattern.match(text)
}

/**
 * The literal text of a regular expression without metacharacters; null if it has any. `\.` is a literal dot,
 * `\d` is not literal.
 */
function literalOf(source: string): string | null {
  let literal = ''
  for (let i = 0; i < source.length; i++) {
    let character = source[i]
    if (character === '\\') {
      character = source[++i]
      if (character === undefined || !METACHARACTERS.includes(character)) return null
    } else if (METACHARACTERS.includes(character)) {
      return null
    }
    literal += character
  }
  return literal
}

const METACHARACTERS = '^.$|()[]*+?{}\\'
