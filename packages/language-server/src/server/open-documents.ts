import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { TextDocument } from 'vscode-languageserver-textdocument'
import { Outline } from '../documents/outline.ts'

/** Larger files that are not open are not searched for definitions. */
const LARGEST = 8 * 1024 * 1024
const MOST_KEPT = 500

/** Outlines of open documents and of files, made when they are needed. */
export class OpenDocuments {
  readonly #documents: { get(uri: string): TextDocument | undefined; all(): TextDocument[] }
  readonly #outlines = new WeakMap<TextDocument, { readonly version: number; readonly outline: Outline }>()
  readonly #files = new Map<string, { readonly stamp: string; readonly outline: Outline }>()

  constructor(documents: { get(uri: string): TextDocument | undefined; all(): TextDocument[] }) {
    this.#documents = documents
  }

  outlineOf(document: TextDocument): Outline {
    const known = this.#outlines.get(document)
    if (known?.version === document.version) return known.outline
    const outline = new Outline(document.getText())
    this.#outlines.set(document, { version: document.version, outline })
    return outline
  }

  /** The outline of a file, as it is open or else as it is on the disk; null if it cannot be read. */
  outlineAt(path: string): Outline | null {
    const document = this.at(path)
    if (document !== undefined) return this.outlineOf(document)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat?.isFile() !== true || stat.size > LARGEST) return null
    const stamp = `${stat.mtimeMs}:${stat.size}:${stat.ino}`
    const known = this.#files.get(path)
    if (known?.stamp === stamp) return known.outline
    try {
      const outline = new Outline(readFileSync(path, 'utf8'))
      if (this.#files.size >= MOST_KEPT) this.#files.clear()
      this.#files.set(path, { stamp, outline })
      return outline
    } catch {
      return null
    }
  }

  /** The text of a file, as it is open or else as it is on the disk; null if it cannot be read. */
  textAt(path: string): string | null {
    const document = this.at(path)
    if (document !== undefined) return document.getText()
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat?.isFile() !== true || stat.size > LARGEST) return null
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return null
    }
  }

  at(path: string): TextDocument | undefined {
    return this.#documents.get(uriOf(path)) ?? this.#documents.all().find(({ uri }) => pathOf(uri) === path)
  }
}

/** The path of a document; null for one that is not a file. */
export function pathOf(uri: string): string | null {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : null
  } catch {
    return null
  }
}

export function uriOf(path: string): string {
  return pathToFileURL(path).href
}
