import { dirname, posix } from 'node:path'
import { lineAt, type Page, prose } from './pages.ts'

/** A path of the project in a code span; `*` and `{a,b}` may stand in it. Names in capitals, and those of the sample module, are placeholders. */
const PROJECT_PATH = /^(?:packages|build|test)\/[\w./*{},-]+$/
/** A path that the page of a package or module gives from its own folder. */
const OWN_PATH = /^(?:src|test|rules|template|browser)\/[\w./*{},-]+$/
const PLACEHOLDER = /\b[A-Z]{2,}\b|greeting/

/**
 * Files and folders that pages name in code and that do not exist, as `PAGE:LINE: PATH`. Generated files (`dist`, `build/config.nice` and others) are not looked for.
 * @param exists whether any file or folder of the project matches a path or pattern
 */
export function missingFiles(pages: readonly Page[], exists: (pattern: string) => boolean): string[] {
  return pages.flatMap(({ path, text }) =>
    // An example may write a file of its own: its block is headed by the file's path.
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
  // A package may have a folder test/ as the project has; its page means its own.
  if (OWN_PATH.test(span) && /^(?:packages|modules)\//.test(page)) return posix.join(dirname(page), span)
  return PROJECT_PATH.test(span) ? span : undefined
}
