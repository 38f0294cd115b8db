/**
 * Replaces the parameters in a line from left to right. If several match at an index, the longest counts.
 * Inserted text is not searched.
 * @param value the replacement of the parameter with this index
 */
export function substitute(line: string, parameters: readonly string[], value: (index: number) => string): string {
  let text = ''
  let at = 0
  for (;;) {
    const found = nextParameter(line, parameters, at)
    if (found === undefined) return text + line.slice(at)
    text += line.slice(at, found.at) + value(found.index)
    at = found.at + parameters[found.index].length
  }
}

/**
 * The text that replaces a parameter. An argument for `@name` is quoted, so it is one word whatever it
 * contains.
 */
export function replacementOf(parameter: string, argument: string): string {
  return parameter.startsWith('@') ? `"${argument.replace(/["\\]/g, '\\$&')}"` : argument
}

function nextParameter(line: string, parameters: readonly string[], from: number): { at: number; index: number } | undefined {
  let best: { at: number; index: number } | undefined
  for (const [index, name] of parameters.entries()) {
    const at = name === '' ? -1 : line.indexOf(name, from)
    if (at < 0) continue
    if (best === undefined || at < best.at || (at === best.at && name.length > parameters[best.index].length))
      best = { at, index }
  }
  return best
}
