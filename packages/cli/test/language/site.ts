import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The port of the only Listen line; it is never bound. */
export const PORT = 22_180

/** Modules that are loaded before each case. */
export const MODULES: readonly string[] = [
  'alias',
  'dir',
  'env',
  'mime',
  'setenvif',
  'headers',
  'authn_core',
  'authn_file',
  'auth_basic',
  'authz_core',
  'authz_host',
  'authz_user',
  'authz_groupfile',
  'access_compat',
  'macro',
]

/** Files that cases include. */
const FILES: Readonly<Record<string, string>> = {
  'conf/empty.conf': '',
  'conf/bad.conf': '# a comment\n<Directory />\n</Location>\n',
  'conf/open.conf': '<Directory />\n',
  'conf/walk.conf': '\nKeepAlive maybe\n',
  'conf/options.conf': 'Options None\n',
  'conf/unbalanced.conf': '<Directory />\n',
  'conf/closes.conf': '</Directory>\n',
  'conf/nested.conf': 'Include conf/inner.conf\n',
  'conf/inner.conf': '\n\nInclude conf/none.conf\n',
  'conf/recursive.conf': 'Include conf/recursive.conf\n',
  'conf/deep.conf': 'Include conf/nested2.conf\n',
  'conf/nested2.conf': 'KeepAlive\n',
  'conf/macros.conf': '<Macro Included $what>\n  KeepAlive $what\n</Macro>\n',
  'conf/tree/a.conf': 'Define TREE a\n',
  'conf/tree/b/c.conf': 'Define TREE c\n',
  'conf/two/a.conf': 'Define TWO a\n',
  'conf/mime.types': 'text/plain txt\n',
  'htdocs/f.txt': 'f\n',
}

/** Makes the folders and files that the cases name. */
export function makeSite(root: string): void {
  for (const folder of ['conf/tree/b', 'conf/two', 'htdocs', 'logs']) mkdirSync(join(root, folder), { recursive: true })
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(root, path), text)
}

/** A whole configuration, with the same number of lines before the case for every program. */
export function configurationOf(lines: readonly string[], root: string, loadLines: readonly string[]): string {
  const before = [
    ...loadLines,
    'ServerName localhost',
    `Listen 127.0.0.1:${PORT}`,
    'DocumentRoot htdocs',
    'ErrorLog logs/error_log',
    'PidFile logs/httpd.pid',
    'TypesConfig conf/mime.types',
  ]
  const text = lines.join('\n').replaceAll('@ROOT@', root).replaceAll('@PORT@', String(PORT))
  return `${before.join('\n')}\n${text}\n`
}

/** The result of a check: its exit status and its lines, without differences between programs and runs. */
export interface Verdict {
  readonly status: number
  readonly lines: readonly string[]
}

const LONGEST_LINE = 2000

/**
 * Removes the program's name, the site's folder, times and process numbers, our advice, and help texts after
 * a number of arguments.
 */
export function verdictOf(status: number, text: string, root: string): Verdict {
  const lines = text
    .replaceAll(root, '@ROOT@')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('hint: '))
    .map((line) =>
      line
        .replace(/^\[\w{3} [^\]]*\] (\[[^\]]*\]) \[pid[^\]]*\]/, '$1')
        .replace(/\b(apache2|httpd): /, 'PROG: ')
        .replace(/((?:takes|requires at least) [\w ,-]*arguments?),.*/, '$1')
        // httpd truncates very long lines.
        .slice(0, LONGEST_LINE),
    )
  return { status, lines }
}
