// The two servers that are compared: Apache httpd, and Gatewright as staged in dist/.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Server } from '../conformance/lib/server.mjs'

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

const CONFORMANCE = join(ROOT, 'test/conformance')
const APACHE_MODULES = '/usr/lib/apache2/modules'
const MODULES = [
  'authn_core',
  'authn_file',
  'authn_dbm',
  'authz_core',
  'authz_host',
  'authz_user',
  'authz_groupfile',
  'authz_dbm',
  'auth_basic',
  'access_compat',
  'setenvif',
  'env',
  'alias',
  'dir',
  'rewrite',
  'log_config',
]
/** Compared as soon as both servers have them. */
const LATER_MODULES = ['authz_owner', 'authn_anon', 'auth_digest', 'authn_socache']
/** What httpd needs for them, and we have inside: by module. */
const NEEDED_BY_HTTPD = { authn_socache: 'socache_shmcb' }

/** Why the comparison cannot be made here, or null. */
export function reasonNotToCompare() {
  if (!existsSync(join(ROOT, 'dist/bin/httpd'))) return 'dist/ is not built: npm run build'
  if (spawnSync('apache2', ['-v']).status !== 0) return 'apache2 is not installed'
  if (spawnSync('htdbm', ['-h']).error !== undefined) return 'htdbm (apache2-utils) is not installed'
  return null
}

/**
 * `{ reference, ours, modules }`: the servers, and the names of the modules that both load.
 * @param moduleDir our modules, if not those of dist/
 * @param program our program, if not that of dist/
 */
export function bothSides({ moduleDir = join(ROOT, 'dist/modules'), program = join(ROOT, 'dist/bin/httpd'), ipv6 = true } = {}) {
  const reference = new Server({
    command: 'apache2',
    moduleDir: APACHE_MODULES,
    preamble: readFileSync(join(CONFORMANCE, 'lib/apache2.preamble.conf'), 'utf8'),
    ipv6,
  })
  const ours = new Server({
    command: program,
    moduleDir,
    preamble: readFileSync(join(CONFORMANCE, 'gatewright.preamble.conf'), 'utf8'),
    epilogue: readFileSync(join(CONFORMANCE, 'gatewright.epilogue.conf'), 'utf8'),
    ipv6,
  })
  return {
    reference,
    ours,
    modules: [...MODULES, ...LATER_MODULES.filter((name) => isThere(reference, name, '.so') && isThere(ours, name, '.mjs'))],
  }
}

/** The LoadModule lines of a server: as many for either, so that both configurations have the same lines. */
export function loadLines(server, modules) {
  const needed = modules.flatMap((name) => NEEDED_BY_HTTPD[name] ?? [])
  return [
    ...needed.map((name) => (isThere(server, name, '.so') ? server.loadModule(name) : `# ${name} is not needed here`)),
    ...modules.map((name) => server.loadModule(name)),
  ]
}

function isThere({ moduleDir, staticModules }, name, ending) {
  return staticModules.has(name) || readdirSync(moduleDir).includes(`mod_${name}${ending}`)
}
