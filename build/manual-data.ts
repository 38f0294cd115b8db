import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readManual } from '../packages/language-server/src/catalogue/manual.ts'
import { ROOT } from './inputs.cjs'

/** What the modules' manual pages say about directives, for the language server: JSON. */
export function manualData(): Uint8Array {
  const pages = globSync('modules/*/README.md', { cwd: ROOT }).sort()
  const entries = pages.flatMap((page) => readManual(basename(dirname(page)), readFileSync(join(ROOT, page), 'utf8')))
  return Buffer.from(JSON.stringify(entries))
}
