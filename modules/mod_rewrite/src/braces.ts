/** Index of the `}` that closes a brace opened before `from`, or -1. */
export function closingBrace(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return at
  }
  return -1
}

/** Index of the first such character outside braces, or -1. */
export function indexOutsideBraces(text: string, character: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const here = text[at]
    if (here === character && depth === 0) return at
    if (here === '{') depth++
    else if (here === '}') depth--
  }
  return -1
}
