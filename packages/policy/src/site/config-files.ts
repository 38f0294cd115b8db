import { type ConfigDocument, type DocumentItem, parseDocument, type SectionItem } from '@gatewright/config'

/** The files of a configuration: bytes and tree. */
export class ConfigFiles {
  readonly texts: ReadonlyMap<string, string>
  readonly #documents = new Map<string, ConfigDocument>()

  /** @param texts by absolute path, one character for each byte */
  constructor(texts: ReadonlyMap<string, string>) {
    this.texts = texts
  }

  get paths(): readonly string[] {
    return [...this.texts.keys()]
  }

  text(path: string): string | undefined {
    return this.texts.get(path)
  }

  document(path: string): ConfigDocument | undefined {
    const known = this.#documents.get(path)
    if (known !== undefined) return known
    const text = this.texts.get(path)
    if (text === undefined) return undefined
    const document = parseDocument(text)
    this.#documents.set(path, document)
    return document
  }

  /** Every item of every file, also those in sections. */
  *items(): Generator<{ readonly path: string; readonly item: DocumentItem; readonly parents: readonly SectionItem[] }> {
    for (const path of this.paths) yield* this.itemsOf(path)
  }

  /** Every item of a file, also those in sections. */
  itemsOf(
    path: string,
  ): Generator<{ readonly path: string; readonly item: DocumentItem; readonly parents: readonly SectionItem[] }> {
    return itemsOf(path, this.document(path)?.items ?? [], [])
  }
}

function* itemsOf(
  path: string,
  items: readonly DocumentItem[],
  parents: readonly SectionItem[],
): Generator<{ readonly path: string; readonly item: DocumentItem; readonly parents: readonly SectionItem[] }> {
  for (const item of items) {
    yield { path, item, parents }
    if (item.kind === 'section') yield* itemsOf(path, item.items, [...parents, item])
  }
}
