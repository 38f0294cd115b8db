/** What a module's manual page says about a directive. */
export interface ManualEntry {
  /** Lower case; containers without `<`. */
  readonly directive: string
  /** `mod_alias` */
  readonly module: string
  /** Forms of the line, as the manual writes them. */
  readonly syntax: readonly string[]
  readonly default: string | null
  /** Markdown; empty if the page says nothing. */
  readonly text: string
  /** The first version with the directive, as the page writes it; null if it does not. */
  readonly since: string | null
  /** Lines of configuration, or null. */
  readonly example: string | null
}

/** Reads a module's manual page: tables whose first column is named Directive, and paragraphs about directives. */
export function readManual(module: string, page: string): ManualEntry[] {
  const blocks = page.split(/\n{2,}/)
  const found = new Map<string, { syntax: string[]; default: string | null; cells: string[] }>()
  for (const block of blocks) for (const row of rowsOf(block)) addRow(found, row)
  return [...found].map(([directive, { syntax, default: standard, cells }]) => {
    const about = paragraphAbout(blocks, directive)
    const text = [...cells, ...(about === null ? [] : [about])].join('\n\n')
    const since = /\b[Ss]ince (?:version )?(\d+\.\d+(?:\.\d+)?)/.exec(text)?.[1] ?? null
    return { directive, module, syntax, default: standard, text, since, example: exampleOf(page, directive) }
  })
}

/** The cells of a row by the names of their columns. */
type Row = ReadonlyMap<string, string>

function rowsOf(block: string): Row[] {
  const lines = block.split('\n').filter((line) => line.startsWith('|'))
  const [head, , ...body] = lines.map(cellsOf)
  if (head?.[0] !== 'Directive') return []
  return body.map((cells) => new Map(cells.map((cell, index) => [head[index] ?? '', cell])))
}

function cellsOf(line: string): string[] {
  return line
    .replace(/\\\|/g, '\u0001')
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.replaceAll('\u0001', '|').trim())
}

function addRow(found: Map<string, { syntax: string[]; default: string | null; cells: string[] }>, row: Row): void {
  const first = row.get('Directive') ?? ''
  const spans = [...first.matchAll(/`([^`]+)`(?: \(([^)`]+)\))?/g)]
  const names = spans.filter(([, code]) => /^<?[A-Z][A-Za-z0-9]+/.test(code))
  // A span of arguments alone belongs to each of the names before it.
  const shared = spans.filter(([, code]) => !/^<?[A-Z][a-z]/.test(code)).map(([, code]) => code)
  for (const [, code, inBrackets] of names) {
    const name = /^<?([A-Za-z0-9]+)/.exec(code)?.[1]
    if (name === undefined || !/[a-z]/.test(name)) continue
    const entry = found.get(name.toLowerCase()) ?? { syntax: [], default: null, cells: [] }
    const form = code.includes(' ') || shared.length === 0 ? code : `${code} ${shared.join(' ')}`
    if (!entry.syntax.includes(form)) entry.syntax.push(form)
    const standard = row.get('Default') ?? inBrackets ?? ''
    if (standard !== '') entry.default ??= standard.replaceAll('`', '')
    for (const column of ['Meaning', 'Does', 'Remarks']) {
      const cell = row.get(column) ?? ''
      if (cell !== '' && !entry.cells.includes(cell)) entry.cells.push(cell)
    }
    found.set(name.toLowerCase(), entry)
  }
}

/** The paragraph that begins with the directive's name in bold. */
function paragraphAbout(blocks: readonly string[], directive: string): string | null {
  for (const block of blocks) {
    const [, bold] = /^\*\*([^*]+)\*\*/.exec(block) ?? []
    if (bold === undefined) continue
    const names = bold.toLowerCase().split(/[^a-z0-9]+/)
    if (names.includes(directive)) return block.replace(/\n/g, ' ').replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
  }
  return null
}

const MOST_LINES = 8

/** The part of the page's examples that shows the directive. */
function exampleOf(page: string, directive: string): string | null {
  for (const [, code] of page.matchAll(/```apache\n([\s\S]*?)```/g)) {
    const lines = code.trimEnd().split('\n')
    const at = lines.findIndex((line) => new RegExp(`^\\s*<?${directive}\\b`, 'i').test(line))
    if (at < 0) continue
    if (lines.length <= MOST_LINES) return lines.join('\n')
    const indent = /^\s*/.exec(lines[at])?.[0] ?? ''
    const end = lines.findIndex((line, index) => index > at && line.startsWith(`${indent}</`))
    const last = lines[at].trim().startsWith('<') && end > 0 ? end + 1 : at + 1
    return lines
      .slice(at, Math.min(last, at + MOST_LINES))
      .map((line) => line.slice(indent.length))
      .join('\n')
  }
  return null
}
