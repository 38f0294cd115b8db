/** A word and the rest of the text after it, without the blanks in between. */
export interface WordAndRest {
  readonly word: string
  readonly rest: string
}

const QUOTED = /^\s*(["'])((?:\\\1|\\\\|(?!\1)[\s\S])*)\1?\s*/
const PLAIN = /^\s*(\S*)\s*/

/**
 * Reads the first word of a raw argument by the configuration's quoting rules, and leaves the rest as written
 * for the decision trail. In quotes, a backslash escapes the quote and itself; without quotes, only itself.
 */
export function firstWord(text: string): WordAndRest {
  const quoted = QUOTED.exec(text)
  if (quoted !== null) {
    const [whole, quote, inner] = quoted
    return { word: inner.replace(quote === '"' ? /\\(["\\])/g : /\\(['\\])/g, '$1'), rest: text.slice(whole.length) }
  }
  const [whole, word] = PLAIN.exec(text) ?? ['', '']
  return { word: word.replace(/\\\\/g, '\\'), rest: text.slice(whole.length) }
}
