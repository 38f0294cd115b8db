import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A page of the documentation: its path from the root of the project, with slashes, and its text. */
export interface Page {
  readonly path: string
  readonly text: string
}

/**
 * Folders whose Markdown is not checked: dependencies, build output, recorded cases with their own suite, and
 * samples.
 */
const LEFT_OUT =
  /(^|\/)(node_modules|dist|\.tap|\.git)(\/|$)|^docs\/api(\/|$)|^test\/conformance(\/|$)|^packages\/module-kit\/template(\/|$)/

/** All pages of a project, in the order of their paths. */
export function readPages(root: string): Page[] {
  return globSync('**/*.md', { cwd: root, exclude: (path) => LEFT_OUT.test(path) })
    .filter((path) => !LEFT_OUT.test(path) && !path.endsWith('api-report.md'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/** A page without its fenced code blocks; they become empty lines, so that line numbers stay. */
export function prose(text: string): string {
  return text.replace(/^( *)```[\s\S]*?^\1```$/gm, (block) => block.replace(/[^\n]+/g, ''))
}

/** The number of the line that contains a character, from 1. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
