/** Changes of parameters as the text that processes share: a line for each, `name=value`. Values have no line ends. */
export function textOf(changes: Iterable<readonly [name: string, value: string]>): string {
  return Array.from(changes, ([name, value]) => `${name}=${value.replaceAll('\n', ' ')}`).join('\n')
}

/** The changes in such a text. */
export function changesIn(text: string): [name: string, value: string][] {
  if (text === '') return []
  return text.split('\n').map((line) => {
    const equals = line.indexOf('=')
    return [line.slice(0, equals), line.slice(equals + 1)]
  })
}
