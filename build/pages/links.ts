import { dirname, posix } from 'node:path'
import { lineAt, type Page, prose } from './pages.ts'

/**
 * Broken links within the project, as `PAGE:LINE: TARGET: REASON`: a missing file or a missing heading.
 * @param exists whether a path from the root of the project is a file or a folder
 */
export function brokenLinks(pages: readonly Page[], exists: (path: string) => boolean): string[] {
  const anchors = new Map(pages.map(({ path, text }) => [path, anchorsOf(text)]))
  return pages.flatMap(({ path, text }) => {
    const shown = withoutCode(prose(text))
    return [...shown.matchAll(/\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]*))?\)/g)].flatMap(
      ({ 1: file = '', 2: anchor, 0: whole, index }) => {
        const target = file === '' ? path : posix.normalize(posix.join(dirname(path), file))
        const reason = whyBroken(target, anchor, anchors, exists)
        return reason === undefined ? [] : [`${path}:${lineAt(text, index)}: ${whole.slice(2, -1)}: ${reason}`]
      },
    )
  })
}

function whyBroken(
  target: string,
  anchor: string | undefined,
  anchors: ReadonlyMap<string, ReadonlySet<string>>,
  exists: (path: string) => boolean,
): string | undefined {
  if (target.startsWith('../') || !exists(target)) return 'no such file'
  const known = anchors.get(target)
  if (anchor === undefined || known === undefined) return undefined
  return known.has(anchor) ? undefined : 'no such heading'
}

/** The anchors that GitHub generates for a page's headings, and those that the page declares itself. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set([...text.matchAll(/<a id="([^"]+)">/g)].flatMap(({ 1: id }) => id ?? []))
  for (const { 1: heading = '' } of prose(text).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const slug = slugOf(heading)
    let unique = slug
    for (let n = 1; anchors.has(unique); n++) unique = `${slug}-${n}`
    anchors.add(unique)
  }
  return anchors
}

/** The anchor that GitHub generates for a heading. */
export function slugOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

/** Replaces brackets in code spans by blanks, because code may look like a link; positions are kept. */
function withoutCode(text: string): string {
  return text.replace(/(?<!`)`[^`\n]+`(?!`)/g, (code) => code.replace(/[[\]()]/g, ' '))
}
