import type { DirectiveEntry } from '@gatewright/core'
import type { ManualEntry } from './manual.ts'

/** What the installation's modules offer. Plain data. */
export interface CatalogueData {
  readonly directives: readonly DirectiveEntry[]
  /** Names of Require's providers. */
  readonly authz: readonly string[]
  /** Names of password providers. */
  readonly authn: readonly string[]
  /** `alias_module`, with the path that LoadModule takes. */
  readonly modules: readonly { readonly name: string; readonly path: string }[]
}

export const NO_CATALOGUE: CatalogueData = { directives: [], authz: [], authn: [], modules: [] }

/** Directives with what manuals say about them. */
export class Catalogue {
  readonly data: CatalogueData
  readonly #directives = new Map<string, DirectiveEntry[]>()
  readonly #manual = new Map<string, ManualEntry[]>()

  constructor(data: CatalogueData, manual: readonly ManualEntry[]) {
    this.data = data
    for (const entry of data.directives) {
      const key = bareName(entry.name)
      this.#directives.set(key, [...(this.#directives.get(key) ?? []), entry])
    }
    for (const entry of manual) this.#manual.set(entry.directive, [...(this.#manual.get(entry.directive) ?? []), entry])
  }

  /** The declarations of a directive; several modules may declare it. @param name in any case, with or without `<` */
  find(name: string): readonly DirectiveEntry[] {
    return this.#directives.get(bareName(name)) ?? []
  }

  manual(name: string): readonly ManualEntry[] {
    return this.#manual.get(bareName(name)) ?? []
  }
}

function bareName(name: string): string {
  return name.replace(/^</, '').toLowerCase()
}
