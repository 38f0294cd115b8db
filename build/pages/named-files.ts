import { dirname, posix } from 'node:path'
import { lineAt, type Page, prose } from './pages.ts'

/**
 * A path of the project in a code span, possibly with `*` and `{a,b}`. Names in capitals, and those of the
 * sample module, are placeholders.
 */
const PROJECT_PATH = /^(?:packages|build|test)\/[\w./*{},-]+$/
/** A path relative to the folder of the page's package or module. */
const OWN_PATH = /^(?:src|test|rules|template|browser)\/[\w./*{},-]+$/
const PLACEHOLDER = /\b[A-Z]{2,}\b|greeting/

/**
 * Files and folders that pages name in code but that do not exist, as `PAGE:LINE: PATH`. Generated files
 * (`dist`, `build/config.nice` and others) are not checked.
 * @param exists whether any file or folder of the project matches a path or pattern
 */
export function missingFiles(pages: readonly Page[], exists: (pattern: string) => boolean): string[] {
  return pages.flatMap(({ path, text }) =>
    // An example may create a file: the heading of its block is the file's path.
    [...prose(text).matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].flatMap(({ 1: span = '', index }) => {
      const pattern = projectPath(span, path)
      return pattern === undefined || exists(pattern) || text.includes(`\`\`\`ts ${span}\n`)
        ? []
        : [`${path}:${lineAt(text, index)}: ${span}`]
    }),
  )
}

function projectPath(span: string, page: string): string | undefined {
  if (PLACEHOLDER.test(span) || /^build\/config[._]/.test(span)) return undefined
  // In the page of a package, test/ means the package's own folder.
  if (OWN_PATH.test(span) && /^(?:packages|modules)\//.test(page)) return posix.join(dirname(page), span)
  return PROJECT_PATH.test(span) ? span : undefined
}
