import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { ManualEntry } from '../../packages/language-server/src/catalogue/manual.ts'
import { ROOT } from '../inputs.cjs'
import { manualEntries } from '../manual-entries.ts'

/** A directive as its module declares it; an item of `httpd -L --json`. */
export interface DeclaredDirective {
  /** Containers begin with `<`. */
  readonly name: string
  /** `alias_module` */
  readonly module: string
  readonly source: string
  readonly context: readonly string[]
  /** The classes of AllowOverride that admit it in .htaccess. */
  readonly override: readonly string[]
  readonly help: string | null
  readonly hasEffect: boolean
}

/** A directive with what the manual page of its module says about it. */
export interface Directive extends DeclaredDirective {
  /** The folder of its module, `mod_alias`; `core` for those of the core. */
  readonly folder: string
  readonly manual: ManualEntry | null
}

/** All directives of the modules in a staged server root, by name. */
export function readDirectives(staged: string): Directive[] {
  const manual = new Map(manualEntries().map((entry) => [`${entry.module} ${entry.directive}`, entry]))
  const folders = new Set(globSync('modules/*', { cwd: ROOT }).map((folder) => basename(folder)))
  return declared(staged)
    .map((one): Directive => {
      const own = one.source.replace(/\.c$/, '')
      const folder = folders.has(own) ? own : folders.has(`mod_${own}`) ? `mod_${own}` : 'core'
      return { ...one, folder, manual: manual.get(`${folder} ${one.name.replace(/^</, '').toLowerCase()}`) ?? null }
    })
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

function keyOf({ name }: DeclaredDirective): string {
  return name.replace(/^</, '').toLowerCase()
}

/** @throws Error if the server does not start with all modules */
function declared(staged: string): readonly DeclaredDirective[] {
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-site-'))
  try {
    const modules = globSync('modules/mod_*.mjs', { cwd: staged }).map((file) => basename(file, '.mjs'))
    // Some modules are compiled in; what they are does not matter here.
    const lines = modules.sort().map((name) => {
      const module = `${name.replace(/^mod_/, '')}_module`
      return `<IfModule !${module}>\nLoadModule ${module} modules/${name}.so\n</IfModule>`
    })
    const conf = join(folder, 'httpd.conf')
    writeFileSync(conf, `${lines.join('\n')}\nServerName localhost\n`)
    const listed = execFileSync(join(staged, 'bin/httpd'), ['-d', staged, '-f', conf, '-L', '--json'], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return JSON.parse(listed)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
