import { lineAt, type Page, prose } from './pages.ts'

/** Words that describe something as missing. */
const MISSING =
  /\bnot (?:there )?yet\b|\bdoes not (?:have|provide)\b|\bdo not exist yet\b|\bis missing here\b|\bnot in this version\b/i
/** Headings of sections in which everything is missing. */
const MISSING_SECTION = /\bnot\b.*\byet\b|\bnot in this version\b/i

/**
 * Statements that a module is missing which is there, as `PAGE:LINE: mod_NAME is in modules/: SENTENCE`.
 * @param modules names of the folders in modules/
 */
export function falseAbsences(pages: readonly Page[], modules: ReadonlySet<string>): string[] {
  return pages.flatMap(({ path, text }) =>
    statements(text).flatMap(({ sentence, heading, index }) => {
      if (!MISSING.test(sentence) && !MISSING_SECTION.test(heading)) return []
      const names = [...sentence.matchAll(/\bmod_\w+/g)].map(([name]) => name).filter((name) => modules.has(name))
      const inline = sentence.replace(/\s+/g, ' ').trim()
      return names.map((name) => `${path}:${lineAt(text, index)}: ${name} is in modules/: ${inline}`)
    }),
  )
}

interface Statement {
  readonly sentence: string
  readonly heading: string
  readonly index: number
}

/** The sentences of a page, each with the heading of its section. Items, cells and paragraphs end a sentence. */
function statements(text: string): Statement[] {
  const found: Statement[] = []
  let heading = ''
  for (const { 0: block, index } of prose(text).matchAll(/^#+ .*$|(?:^(?!#+ ).+\n?)+/gm)) {
    if (/^#+ /.test(block)) heading = block
    else
      for (const part of block.matchAll(/(?:(?![.;!?]\s|\s\||\n- )[\s\S])+/g))
        found.push({ sentence: part[0], heading, index: index + part.index })
  }
  return found
}
