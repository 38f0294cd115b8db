import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aliasPage, manualPage } from '../package/manual-page.ts'

/** A page for `man`. */
export interface InstalledPage {
  /** Below the folder of manual pages, `man8/httpd.8`. */
  readonly path: string
  readonly text: string
}

/** Pages of programs that are not installed: they belong to the source tree and to the package for Debian. */
const NOT_INSTALLED: ReadonlySet<string> = new Set(['configure', 'gwenmod'])

/**
 * The manual pages of installed programs, and of the verbs of gatewright.
 * @param source the source tree
 * @param program the name under which httpd is installed
 */
export function manualPages(source: string, program: string, version: string): InstalledPage[] {
  const folder = join(source, 'packages/cli/manual')
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.slice(0, -'.md'.length))
    .filter((name) => !NOT_INSTALLED.has(name))
    .sort()
  const commands = new Map([['httpd', program]])
  return [
    ...names.map((file): InstalledPage => {
      const section = file === 'httpd' ? 8 : 1
      const name = commands.get(file) ?? file
      const markdown = readFileSync(join(folder, `${file}.md`), 'utf8')
      return { path: `man${section}/${name}.${section}`, text: manualPage(markdown, { name, section, version, commands }) }
    }),
    { path: 'man8/apachectl.8', text: aliasPage(program, 8) },
  ]
}
