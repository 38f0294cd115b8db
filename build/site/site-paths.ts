import { posix } from 'node:path'

/** The groups of the site's navigation, in its order. */
export const GROUPS = ['Using it', 'Directives', 'Modules', 'Programs', 'Writing modules', 'Module API', 'How it works'] as const

export type Group = (typeof GROUPS)[number]

/** A page of the project that the site shows. */
export interface Place {
  /** The path of its Markdown in the project. */
  readonly source: string
  /** The path of its HTML in the site. */
  readonly url: string
  readonly group: Group
}

/** Pages of the project's root, and their group. Others of the root are about working on the project. */
const ROOT_PAGES: ReadonlyMap<string, Group> = new Map([
  ['README.md', 'Using it'],
  ['UPGRADING.md', 'Writing modules'],
  ['CHANGELOG.md', 'Using it'],
  ['ARCHITECTURE.md', 'How it works'],
  ['CONTRIBUTING.md', 'How it works'],
])

const ABOUT_INSIDE = /^docs\/(?:decisions\/|architecture|request-walk|processes|caches)/
const FOR_AUTHORS = /^docs\/(?:module-authors|protocol-modules|debugging-modules|sharing-modules)/

/** Where the site shows a page of the project; null if it does not. */
export function placeOf(source: string): Place | null {
  const group = ROOT_PAGES.get(source)
  if (group !== undefined) return { source, url: `${source.slice(0, -'.md'.length).toLowerCase()}.html`, group }
  const [folder, name = ''] = source.split('/')
  if (folder === 'docs') return { source, url: htmlOf(source), group: groupOfGuide(source) }
  if (/^modules\/[^/]+\/README\.md$/.test(source)) return { source, url: `modules/${name}.html`, group: 'Modules' }
  if (source.startsWith('packages/cli/manual/'))
    return { source, url: `programs/${posix.basename(source, '.md')}.html`, group: 'Programs' }
  if (source === 'packages/api/README.md') return { source, url: 'api/index.html', group: 'Module API' }
  if (source === 'packages/testing/README.md') return { source, url: 'packages/testing.html', group: 'Writing modules' }
  if (/^packages\/[^/]+\/README\.md$/.test(source)) return { source, url: `packages/${name}.html`, group: 'How it works' }
  return null
}

function groupOfGuide(source: string): Group {
  if (ABOUT_INSIDE.test(source)) return 'How it works'
  return FOR_AUTHORS.test(source) ? 'Writing modules' : 'Using it'
}

function htmlOf(source: string): string {
  return source.replace(/README\.md$/, 'index.html').replace(/\.md$/, '.html')
}

/** The link from one page of the site to another. */
export function linkFrom(url: string, target: string): string {
  const path = posix.relative(posix.dirname(url), target)
  return path === '' ? posix.basename(target) : path
}
