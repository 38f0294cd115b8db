/** A word and what is left of the text behind it, blanks between them cut. */
export interface WordAndRest {
  readonly word: string
  readonly rest: string
}

const QUOTED = /^\s*(["'])((?:\\\1|\\\\|(?!\1)[\s\S])*)\1?\s*/
const PLAIN = /^\s*(\S*)\s*/

/**
 * Takes the first word of a raw argument by the configuration's quoting rules, and leaves the rest as written, which is what the decision
 * trail shows. Quoted, a backslash escapes the quote and itself; unquoted, itself.
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
