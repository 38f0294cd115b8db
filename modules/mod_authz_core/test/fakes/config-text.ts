/** A line of a test's configuration and the lines inside it. */
export interface ConfigLine {
  /** `Require`, or `<RequireAll`. */
  readonly name: string
  /** The rest, `>` included. */
  readonly text: string
  readonly line: number
  readonly children: ConfigLine[]
}

/** Parses lines into a tree. No continuation lines, no variables, no check of closing names. */
export function parseLines(text: string): ConfigLine[] {
  const root: ConfigLine[] = []
  const open: ConfigLine[][] = [root]
  text.split('\n').forEach((raw, index) => {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) return
    if (line.startsWith('</')) {
      open.pop()
      return
    }
    const [, name, rest] = /^(<?[^\s>]+)\s*(.*)$/.exec(line) ?? ['', line, '']
    const node: ConfigLine = { name, text: rest, line: index + 1, children: [] }
    open.at(-1)?.push(node)
    if (name.startsWith('<')) open.push(node.children)
  })
  return root
}

/** Words by the configuration's quoting rules. */
export function splitWords(text: string): string[] {
  return Array.from(text.matchAll(/(["'])((?:\\\1|\\\\|(?!\1)[\s\S])*)\1?|(\S+)/g), ([, quote, quoted, plain]) =>
    (quote === undefined ? plain : quoted.replaceAll(`\\${quote}`, quote)).replaceAll('\\\\', '\\'),
  )
}
