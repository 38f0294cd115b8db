import { trimBlanks } from './lines.ts'
import { nextWord } from './words.ts'

/** The name in the closing line of a container, or the error in it. */
export function closingName(line: string): { readonly name: string } | { readonly error: string } {
  const { word } = nextWord(line)
  if (!word.endsWith('>')) return { error: `${word}> directive missing closing '>'` }
  return { name: word.slice(2, -1) }
}

/**
 * The argument text of a container's opening line: everything before the last `>`, without surrounding
 * blanks.
 * @param name the container's name as declared, `<Directory`
 */
export function openingArgument(name: string, text: string): { readonly argument: string } | { readonly error: string } {
  const close = text.lastIndexOf('>')
  if (close < 0) return { error: `${name}> directive missing closing '>'` }
  const argument = trimBlanks(text.slice(0, close))
  if (argument === '') return { error: `${name}> directive requires additional arguments` }
  return { argument }
}
