import MiniSearch from 'minisearch'

/** What the search finds. */
export interface SearchItem {
  readonly title: string
  /** Directive, module, section of a guide, program, symbol of the API. */
  readonly kind: string
  readonly url: string
  /** A line about it, shown with it. */
  readonly about: string
  readonly text: string
}

export const SEARCH_OPTIONS: { readonly fields: string[]; readonly storeFields: string[] } = {
  fields: ['title', 'about', 'text'],
  storeFields: ['title', 'kind', 'url', 'about'],
}

/** The index as a script: a page that was opened from a file may not read others. */
export function searchScript(items: readonly SearchItem[]): string {
  const index = new MiniSearch<SearchItem & { readonly id: number }>(SEARCH_OPTIONS)
  index.addAll(items.map((item, id) => ({ id, ...item })))
  return `self.searchIndex=${JSON.stringify(JSON.stringify(index)).replaceAll('</', '<\\/')}\n`
}
