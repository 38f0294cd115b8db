import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../inputs.cjs'
import type { Case } from './engine/question-case.ts'

const PREFIX = '/srv/gatewright'
/** Parts that httpd.conf does not include without a certificate. */
const APART: ReadonlySet<string> = new Set(['conf/extra/form-login.conf', 'conf/extra/tls-defaults.conf'])
/** What a browser shows of the site without its images. */
const SHOWN = ['conf/httpd.conf', 'conf/extra/*.conf', 'conf/users', 'conf/htdocs/**']
/** A page of the example site is not what is to be explained. */
const MOST_BYTES = 3_000

/** The example site of this server, as `npm start` serves it. */
export function exampleSite(): Pick<Case, 'start' | 'files'> {
  const names = SHOWN.flatMap((pattern) => globSync(pattern, { cwd: ROOT }).sort())
  const files = [...names, ...globSync('conf/htdocs/**/.htaccess', { cwd: ROOT })].filter(
    (name) => !APART.has(name) && isText(join(ROOT, name)),
  )
  return {
    start: `${PREFIX}/conf/httpd.conf`,
    files: files.map((name) => {
      const path = name.startsWith('conf/htdocs/') ? name.slice('conf/'.length) : name
      return {
        path: `${PREFIX}/${path}`,
        text: readFileSync(join(ROOT, name), 'utf8').replaceAll('@prefix@', PREFIX).slice(0, limit(name)),
      }
    }),
  }
}

function isText(file: string): boolean {
  return statSync(file).isFile() && !/\.(?:ico|svg|css)$/.test(file)
}

function limit(name: string): number {
  return name.endsWith('.html') ? MOST_BYTES : Number.POSITIVE_INFINITY
}
