import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCE = join(import.meta.dirname, '../conf')

/**
 * Copies conf/ into a server root: its site to htdocs/, the rest to conf/. Files of the same name are
 * replaced, others are kept. Like `make install` of httpd, replaces @prefix@ in httpd.conf and the files for
 * services by the root's own path.
 */
export function stageConfiguration(root: string): void {
  const site = join(SOURCE, 'htdocs')
  cpSync(site, join(root, 'htdocs'), { recursive: true })
  cpSync(SOURCE, join(root, 'conf'), { recursive: true, filter: (path) => path !== site })
  for (const name of ['httpd.conf', ...globSync('service/*', { cwd: SOURCE })]) {
    const file = join(root, 'conf', name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('@prefix@', root))
  }
}
