import { FileSource } from '@gatewright/core'

/**
 * Files that are read once: a later reader may no longer have permission, and needs the text that was loaded.
 */
export class ReadOnceSource extends FileSource {
  readonly #texts = new Map<string, string>()

  override read(path: string): string {
    const known = this.#texts.get(path)
    if (known !== undefined) return known
    const text = super.read(path)
    this.#texts.set(path, text)
    return text
  }
}
