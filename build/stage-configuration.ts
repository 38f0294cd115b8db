import { cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCE = join(import.meta.dirname, '../conf')

/**
 * Copies conf/ into a server root: its site to htdocs/, the rest to conf/. Files of the same name are
 * replaced, others are kept, and so are lines that apxs added to httpd.conf. Like `make install` of httpd, replaces @prefix@ in httpd.conf and the files for
 * services by the root's own path.
 */
export function stageConfiguration(root: string): void {
  const site = join(SOURCE, 'htdocs')
  const main = join(root, 'conf/httpd.conf')
  const ofAuthors = existsSync(main) ? linesOfAuthors(readFileSync(main, 'utf8'), root) : []
  cpSync(site, join(root, 'htdocs'), { recursive: true })
  cpSync(SOURCE, join(root, 'conf'), { recursive: true, filter: (path) => path !== site })
  for (const name of ['httpd.conf', ...globSync('service/*', { cwd: SOURCE })]) {
    const file = join(root, 'conf', name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('@prefix@', root))
  }
  if (ofAuthors.length > 0) writeFileSync(main, withLines(readFileSync(main, 'utf8'), ofAuthors))
}

/** The LoadModule lines of modules that are not this project's: apxs -a added them for their authors. */
function linesOfAuthors(text: string, root: string): readonly string[] {
  return [...text.matchAll(/^LoadModule\s+\w+\s+"?modules\/(mod_\w+)\.mjs"?$/gm)]
    .filter(([, name]) => !existsSync(join(SOURCE, '../modules', name)) && existsSync(join(root, 'modules', `${name}.mjs`)))
    .map(([line]) => line)
}

/** A configuration with lines after its last LoadModule line, where apxs adds them. */
function withLines(text: string, lines: readonly string[]): string {
  const last = [...text.matchAll(/^LoadModule .*$/gm)].at(-1)
  const at = last === undefined ? 0 : last.index + last[0].length + 1
  return `${text.slice(0, at)}${lines.join('\n')}\n${text.slice(at)}`
}
