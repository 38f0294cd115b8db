import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type ManualEntry, readManual } from '../packages/language-server/src/catalogue/manual.ts'
import { ROOT } from './inputs.cjs'

/** What the manual pages of the modules and of the core say about directives. */
export function manualEntries(): ManualEntry[] {
  const modules = globSync('modules/*/README.md', { cwd: ROOT }).sort()
  return [
    ...readManual('core', textOf('docs/core-directives.md')),
    ...modules.flatMap((page) => readManual(basename(dirname(page)), textOf(page))),
  ]
}

function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
