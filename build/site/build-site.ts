import { globSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { ROOT } from '../inputs.cjs'
import { readPages } from '../pages/pages.ts'
import { place } from '../place.ts'
import { apiPages } from './api-pages.ts'
import { type Directive, readDirectives } from './directive-data.ts'
import { coreDirectives, directiveIndex, directiveItems, directiveReference } from './directive-pages.ts'
import { homePage } from './home-page.ts'
import { layOut, type Navigation, type NavigationEntry, type SitePage } from './layout.ts'
import { renderMarkdown } from './markdown.ts'
import { type SearchItem, searchScript } from './search-data.ts'
import { GROUPS, type Group, type Place, placeOf } from './site-paths.ts'

export interface BuiltSite {
  readonly pages: number
  readonly directives: number
  readonly symbols: number
  readonly searchable: number
}

/**
 * Builds the documentation as a static site: guides, manual pages of modules and programs, a reference of directives and
 * of the module API, and a search that works without a server.
 * @param folder is created; files of an earlier site are overwritten
 * @param staged a server root with all modules, which lists their directives
 * @throws Error if the server in `staged` cannot list the directives
 */
export async function buildSite(folder: string, staged: string): Promise<BuiltSite> {
  const directives = readDirectives(staged)
  const api = apiPages()
  const guides = readPages(ROOT).flatMap(({ path, text }) => {
    const at = placeOf(path)
    return at === null ? [] : [guidePage(at, text, directives, api.list)]
  })
  const core = coreDirectives(directives.filter((one) => one.folder === 'core'))
  const index = directiveIndex(directives)
  const listed = [...guides.map(({ page }) => page), core, index]
  const navigation = navigationOf(listed)
  const pages = [
    ...listed,
    ...api.pages,
    homePage({ directives: directives.length, modules: moduleCount(), symbols: api.pages.length }),
  ]
  for (const page of pages) write(folder, page.url, layOut(page, navigation))
  const items = [...directiveItems(directives), ...guides.flatMap(({ items: own }) => own), ...api.items]
  write(folder, 'search-index.js', searchScript(items))
  write(folder, 'search.js', await browserScript())
  write(folder, 'site.css', readFileSync(join(import.meta.dirname, 'browser/site.css')))
  return { pages: pages.length, directives: directives.length, symbols: api.pages.length, searchable: items.length }
}

function write(folder: string, url: string, content: string | Uint8Array): void {
  const file = join(folder, url)
  mkdirSync(dirname(file), { recursive: true })
  place(file, content)
}

function moduleCount(): number {
  return globSync('modules/*/README.md', { cwd: ROOT }).length
}

const KINDS: Readonly<Record<Group, string>> = {
  'Using it': 'guide',
  Directives: 'directive',
  Modules: 'module',
  Programs: 'program',
  'Writing modules': 'for authors',
  'Module API': 'API',
  'How it works': 'inside',
}

function guidePage(
  at: Place,
  text: string,
  directives: readonly Directive[],
  apiList: string,
): { readonly page: SitePage; readonly items: SearchItem[] } {
  const { html, title, headings } = renderMarkdown(text, at.source, at.url)
  const module = /^modules\/([^/]+)\//.exec(at.source)?.[1]
  const own = directives.filter(({ folder }) => folder === module)
  const reference = module === undefined ? { html: '', headings: [] } : directiveReference(own, at.url)
  const more = at.url === 'api/index.html' ? apiList : reference.html
  const page = { url: at.url, group: at.group, title, html: `${html}\n${more}`, headings: [...headings, ...reference.headings] }
  const items = headings.map(({ level, id, text: heading, below }) => ({
    title: level === 1 ? title : heading,
    kind: level === 1 ? KINDS[at.group] : title,
    url: level === 1 ? at.url : `${at.url}#${id}`,
    about: below.slice(0, 110).trim(),
    text: below.slice(0, 1500),
  }))
  return { page, items }
}

/** Guides in the order of their titles, except for the pages that begin a group. */
function navigationOf(pages: readonly SitePage[]): Navigation {
  const groups = new Map<Group, NavigationEntry[]>(GROUPS.map((group) => [group, []]))
  for (const { url, title, group } of pages) if (group !== null) groups.get(group)?.push({ url, title })
  for (const entries of groups.values())
    entries.sort((a, b) => rank(a) - rank(b) || (a.title.toLowerCase() < b.title.toLowerCase() ? -1 : 1))
  return groups
}

const FIRST = [
  'readme.html',
  'docs/features.html',
  'docs/operating/index.html',
  'docs/module-authors.html',
  'modules/core.html',
  'architecture.html',
]

function rank({ url }: NavigationEntry): number {
  const at = FIRST.indexOf(url)
  return at < 0 ? FIRST.length : at
}

async function browserScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'browser/search.ts')],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    write: false,
    legalComments: 'inline',
  })
  return outputFiles[0].text
}
