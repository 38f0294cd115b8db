import type { ConfigNode, DirectiveItem, DocumentItem, SectionItem } from '@gatewright/config'
import type { ConfigFiles } from './config-files.ts'

/** The place of a line in a file, even if it was read through a macro. */
export interface LinePlace {
  readonly path: string
  readonly item: DirectiveItem | SectionItem
  /** The sections and guards of the file around it, outermost first. */
  readonly parents: readonly SectionItem[]
  /** The use of the macro; null for a line that was read directly. */
  readonly frame: string | null
}

type ReadLine = Pick<ConfigNode, 'file' | 'line'>
type Found = Omit<LinePlace, 'frame'>

/** Finds the items of files that the lines of a server were read from. */
export class LinePlaces {
  readonly #files: ConfigFiles
  readonly #byFile = new Map<string, ReadonlyMap<number, Found>>()
  readonly #byMacro = new Map<string, readonly Found[]>()

  constructor(files: ConfigFiles) {
    this.#files = files
  }

  /** undefined for lines of the command line, and for those of a macro that another macro has made. */
  of({ file, line }: ReadLine): LinePlace | undefined {
    const use = readMacroUse(file)
    if (use === undefined) {
      const found = this.#inFile(file).get(line)
      return found === undefined ? undefined : { ...found, frame: null }
    }
    const found = this.#inMacro(use.defined)[line - 1]
    return found === undefined ? undefined : { ...found, frame: file }
  }

  #inFile(path: string): ReadonlyMap<number, Found> {
    const known = this.#byFile.get(path)
    if (known !== undefined) return known
    const lines = new Map<number, Found>()
    for (const { item, parents } of this.#files.itemsOf(path))
      if (isLine(item)) lines.set(item.lastLine ?? item.line ?? 0, { path, item, parents })
    this.#byFile.set(path, lines)
    return lines
  }

  #inMacro(defined: ReadLine): readonly Found[] {
    const key = `${defined.file}:${defined.line}`
    const known = this.#byMacro.get(key)
    if (known !== undefined) return known
    const macro = this.#inFile(defined.file).get(defined.line)
    const lines = macro?.item.kind === 'section' ? [...bodyLines(macro.item, macro)] : []
    this.#byMacro.set(key, lines)
    return lines
  }
}

/** Finds a use of a macro by the title that mod_macro gives to the inserted lines. */
export function readMacroUse(
  title: string,
): { readonly name: string; readonly defined: ReadLine; readonly used: ReadLine } | undefined {
  const parts = /^macro '([^']*)' \(defined on line (\d+) of "([^"]*)"\) used on line (\d+) of "(.*)"$/s.exec(title)
  if (parts === null) return undefined
  const [, name, definedLine, definedFile, usedLine, usedFile] = parts
  return {
    name,
    defined: { file: definedFile, line: Number(definedLine) },
    used: { file: usedFile, line: Number(usedLine) },
  }
}

/** The lines that mod_macro counts: including empty and closing lines, without comments. */
function* bodyLines(section: SectionItem, { path, parents }: Found): Generator<Found> {
  const inner = [...parents, section]
  for (const item of section.items) {
    if (item.kind === 'comment') continue
    const own = isLine(item) ? item : section
    yield { path, item: own, parents: inner }
    if (item.kind !== 'section') continue
    yield* bodyLines(item, { path, item, parents: inner })
    if (item.closing !== null) yield { path, item, parents: inner }
  }
}

function isLine(item: DocumentItem): item is DirectiveItem | SectionItem {
  return item.kind === 'directive' || item.kind === 'section'
}
