import type { ConfigNode, DocumentItem, SectionItem } from '@gatewright/config'
import type { PolicyServer } from '../policy-server.ts'
import type { SectionReader } from '../site/bound-section.ts'

/** Whether guards were true when a server read its files. */
export class GuardReadings {
  readonly #read = new Set<DocumentItem>()
  readonly #skipped = new Set<DocumentItem>()

  /** @param reader has read the relevant .htaccess files */
  constructor(server: PolicyServer, reader: SectionReader) {
    const { places } = reader.sources
    const keep = (nodes: readonly ConfigNode[]): void => {
      for (const node of nodes) {
        const item = places.of(node)?.item
        if (item !== undefined) this.#read.add(item)
        keep(node.children ?? [])
      }
    }
    keep(server.configuration.lines)
    for (const { lines } of reader.sections) keep(lines)
    for (const body of [...server.configuration.skippedBodies, ...reader.skipped]) {
      const item = places.of(body)?.item
      if (item !== undefined) this.#skipped.add(item)
    }
  }

  /** Null if it was not read, or if its readings differ. */
  of(guard: SectionItem): 'held' | 'failed' | null {
    const held = this.#isRead(guard.items)
    if (this.#skipped.has(guard)) return held ? null : 'failed'
    return held ? 'held' : null
  }

  #isRead(items: readonly DocumentItem[]): boolean {
    return items.some(
      (item) => this.#read.has(item) || (item.kind === 'section' && (this.#skipped.has(item) || this.#isRead(item.items))),
    )
  }
}
