import { escapeText, type Heading } from './markdown.ts'
import { GROUPS, type Group, linkFrom } from './site-paths.ts'

/** A page of the site before its frame is put around it. */
export interface SitePage {
  readonly url: string
  readonly group: Group | null
  readonly title: string
  /** The content of `<main>`. */
  readonly html: string
  readonly headings: readonly Heading[]
}

export interface NavigationEntry {
  readonly url: string
  readonly title: string
}

export type Navigation = ReadonlyMap<Group, readonly NavigationEntry[]>

/** Puts the frame of the site around a page: its head, the search field, the navigation, the list of its headings. */
export function layOut(page: SitePage, navigation: Navigation): string {
  const to = (target: string): string => linkFrom(page.url, target)
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(page.title)} – Gatewright</title>
<link rel="stylesheet" href="${to('site.css')}">
<link rel="icon" href="data:,">
<script src="${to('search.js')}" data-root="${to('index.html').slice(0, -'index.html'.length)}" defer></script>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header class="top">
<a class="name" href="${to('index.html')}">Gatewright</a>
<div class="search" role="search">
<input id="search" type="search" placeholder="Search directives, modules, guides" aria-label="Search" autocomplete="off" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list">
<kbd aria-hidden="true">/</kbd>
<ul id="results" role="listbox" aria-label="Results" hidden></ul>
</div>
</header>
<div class="columns">
<nav class="site" aria-label="Pages">
${GROUPS.map((group) => groupOf(group, navigation.get(group) ?? [], page, to)).join('\n')}
</nav>
<main id="content">
${page.html}
</main>
${contentsOf(page.headings)}
</div>
</body>
</html>
`
}

/** A group of the navigation: its pages on pages of the group, elsewhere a link to the first of them. */
function groupOf(group: Group, entries: readonly NavigationEntry[], page: SitePage, to: (target: string) => string): string {
  if (group !== page.group) {
    const [first] = entries
    return first === undefined ? '' : `<p class="group"><a href="${to(first.url)}">${group}</a></p>`
  }
  const items = entries.map(({ url, title }) => {
    const current = url === page.url ? ' aria-current="page"' : ''
    return `<li><a href="${to(url)}"${current}>${breakable(title)}</a></li>`
  })
  return `<p class="group current">${group}</p>\n<ul>\n${items.join('\n')}\n</ul>`
}

/** The headings of a page with more than a few, for the margin. */
function contentsOf(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3)
  if (shown.length < 3) return ''
  const items = shown.map(({ level, id, text }) => `<li class="level${level}"><a href="#${id}">${breakable(text)}</a></li>`)
  return `<nav class="contents" aria-label="On this page">\n<p>On this page</p>\n<ul>\n${items.join('\n')}\n</ul>\n</nav>`
}

/** Text for narrow columns: names that are longer than a line break between their words, such as AuthzSend|Forbidden|On|Failure. */
function breakable(text: string): string {
  const words = text
    .split(/(\s+)/)
    .map((word) => (word.length > 16 ? word.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[_/.])(?=\w)/g, '\n') : word))
  return escapeText(words.join('')).replaceAll('\n', '<wbr>')
}
