/**
 * Replaces parameters in a line, from left to right; where several begin at the same place, the longest. What is put in is not looked at again.
 * @param value what stands for the parameter of an index
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

/** The argument as it is put in for a parameter: for `@name` in quotes, one word whatever it holds. */
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
