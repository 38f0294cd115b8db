/**
 * Splits a command line into words without a shell, like APR: a quote counts only at the start of a word, and
 * a backslash escapes the next character.
 */
export function splitCommand(text: string): string[] {
  const words: string[] = []
  let at = afterBlanks(text, 0)
  while (at < text.length) {
    const quote = text[at] === '"' || text[at] === "'" ? text[at] : null
    if (quote !== null) at++
    let word = ''
    for (; at < text.length && (quote === null ? !isBlank(text[at]) : text[at] !== quote); at++) {
      if (text[at] === '\\' && at + 1 < text.length) at++
      word += text[at]
    }
    words.push(word)
    at = afterBlanks(text, quote === null ? at : at + 1)
  }
  return words
}

function afterBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && isBlank(text[at])) at++
  return at
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\t'
}
