/// <reference lib="dom" />
import MiniSearch, { type SearchResult } from 'minisearch'
import { SEARCH_OPTIONS } from '../search-data.ts'

// The search of the site. The index is a script, because pages that were opened from files cannot fetch others; it is
// loaded when the field gets the focus.

declare global {
  interface Window {
    searchIndex?: string
  }
}

const MOST = 12
const root = document.currentScript?.dataset.root ?? ''
let index: MiniSearch | null = null
let loading: Promise<void> | null = null
let chosen = -1

function load(): Promise<void> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${root}search-index.js`
    script.onload = () => {
      index = MiniSearch.loadJSON(window.searchIndex ?? '{}', SEARCH_OPTIONS)
      resolve()
    }
    script.onerror = () => reject(new Error(`${script.src} cannot be loaded`))
    document.head.append(script)
  })
  return loading
}

/** A name that was typed exactly comes first, then names that begin so. */
function find(query: string): SearchResult[] {
  if (index === null) return []
  const typed = query.trim().toLowerCase().replace(/^</, '')
  const found = index.search(query, {
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    boost: { title: 6, about: 2 },
  })
  const rank = ({ title }: SearchResult): number => {
    const name = String(title).toLowerCase().replace(/^</, '')
    return name === typed ? 2 : name.startsWith(typed) ? 1 : 0
  }
  return found.sort((a, b) => rank(b) - rank(a) || b.score - a.score).slice(0, MOST)
}

function start(field: HTMLInputElement, list: HTMLElement): void {
  const close = (): void => {
    list.hidden = true
    field.setAttribute('aria-expanded', 'false')
    field.removeAttribute('aria-activedescendant')
    chosen = -1
  }
  const show = (): void => {
    const query = field.value
    if (query.trim() === '') return close()
    const results = find(query)
    chosen = -1
    list.replaceChildren(...(results.length === 0 ? [line('Nothing found')] : results.map(row)))
    list.hidden = false
    field.setAttribute('aria-expanded', 'true')
  }
  const choose = (next: number): void => {
    const rows = [...list.querySelectorAll<HTMLElement>('[role=option]')]
    if (rows.length === 0) return
    chosen = (next + rows.length) % rows.length
    for (const [at, each] of rows.entries()) each.setAttribute('aria-selected', String(at === chosen))
    rows[chosen].scrollIntoView({ block: 'nearest' })
    field.setAttribute('aria-activedescendant', rows[chosen].id)
  }
  field.addEventListener('focus', () => void load().then(show))
  field.addEventListener('input', () => void load().then(show))
  field.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1)
    else if (event.key === 'ArrowUp') choose(chosen - 1)
    else if (event.key === 'Escape') close()
    else if (event.key === 'Enter') {
      const rows = list.querySelectorAll<HTMLAnchorElement>('[role=option] a')
      rows[Math.max(chosen, 0)]?.click()
    } else return
    event.preventDefault()
  })
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Node) || !field.parentElement?.contains(target)) close()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || document.activeElement === field) return
    event.preventDefault()
    field.focus()
    field.select()
  })
}

function row({ title, kind, url, about }: SearchResult, at: number): HTMLElement {
  const item = document.createElement('li')
  item.role = 'option'
  item.id = `result-${at}`
  const link = document.createElement('a')
  link.href = `${root}${url}`
  link.tabIndex = -1
  for (const [name, text] of Object.entries({ title, kind, about })) {
    const part = document.createElement('span')
    part.className = name
    part.textContent = String(text)
    link.append(part)
  }
  item.append(link)
  return item
}

function line(text: string): HTMLElement {
  const item = document.createElement('li')
  item.className = 'none'
  item.textContent = text
  return item
}

document.addEventListener('DOMContentLoaded', () => {
  const field = document.getElementById('search')
  const list = document.getElementById('results')
  if (field instanceof HTMLInputElement && list !== null) start(field, list)
})
