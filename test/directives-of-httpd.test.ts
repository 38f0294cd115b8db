/**
 * Directives of modules for TLS, proxies, databases and programs beside the list that `apache2 -L` prints: their names, the modules that
 * define them, and the places where they are allowed.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { MODULES } from './fixtures/staged-server.ts'

const skip = spawnSync('apache2', ['-v']).status === 0 ? false : 'needs apache2'
const DEBIAN_MODULES = '/usr/lib/apache2/modules'

const LOADED = [
  ...['authz_core', 'socache_shmcb', 'ssl', 'md', 'slotmem_shm', 'proxy', 'proxy_balancer', 'proxy_http', 'proxy_connect'],
  ...['proxy_http2'],
  ...['proxy_express', 'proxy_fcgi', 'proxy_scgi', 'proxy_uwsgi', 'proxy_ajp', 'proxy_wstunnel', 'proxy_hcheck'],
  ...['lbmethod_byrequests', 'lbmethod_bytraffic', 'lbmethod_bybusyness', 'lbmethod_heartbeat', 'heartbeat', 'heartmonitor'],
  // Packages of their own.
  ...['fcgid', 'wsgi'].filter((name) => existsSync(`${DEBIAN_MODULES}/mod_${name}.so`)),
  ...['dbd', 'authn_dbd', 'authz_dbd', 'socache_dbm', 'socache_memcache', 'socache_redis'],
]

/** httpd allows these in .htaccess files, where they would change the whole server: a stated difference. */
const NOT_IN_HTACCESS = new Set([
  ...['MDRequireHttps', 'ProxyExpressDBMFile', 'ProxyExpressDBMType', 'ProxyExpressEnable', 'ProxyHCExpr', 'ProxyHCTemplate'],
])
const FOR_EACH_FOLDER = / \[no per-dir config\] and in \.htaccess when AllowOverride includes \w+$/

/** `MODULE: places` of each directive. */
type Listed = ReadonlyMap<string, string>

/** What `-L` prints of the loaded modules. */
function listed(t: Test, program: string, modules: string, ending: string, more: readonly string[]): Listed {
  const folder = mkdtempSync(join(tmpdir(), 'directives-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'httpd.conf')
  const lines = [
    'ServerName localhost',
    `ErrorLog ${folder}/error`,
    `PidFile ${folder}/pid`,
    ...more,
    ...LOADED.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.${ending}`),
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)
  const { stdout, stderr, status } = spawnSync(program, ['-d', folder, '-f', file, '-L'], { encoding: 'utf8' })
  t.equal(status, 0, stderr)
  const sources = new Set(LOADED.map((name) => `mod_${name}.c`))
  const found = new Map<string, string>()
  let name = ''
  for (const line of stdout.split('\n')) {
    const [, directive, source] = /^(\S+) \((\S+)\)$/.exec(line) ?? []
    if (directive !== undefined) {
      name = sources.has(source) ? directive : ''
      if (name !== '') found.set(name, `${source}:`)
    } else if (name !== '' && (line.startsWith('\tAllowed in') || found.get(name)?.includes('Allowed in') === true)) {
      found.set(name, `${found.get(name)} ${line.trim()}`.trimEnd())
    }
  }
  return found
}

t.test('each directive of TLS, proxies and databases is known, and is allowed where httpd allows it', { skip }, async (t) => {
  const theirs = listed(t, 'apache2', DEBIAN_MODULES, 'so', [`LoadModule mpm_event_module ${DEBIAN_MODULES}/mod_mpm_event.so`])
  const ours = listed(t, join(MODULES, '../bin/httpd'), MODULES, 'mjs', [])
  t.ok(theirs.size > 100, `${theirs.size} directives`)
  t.strictSame(
    [...ours.keys()].filter((name) => !theirs.has(name)),
    [],
    'no directive is ours alone',
  )
  for (const [name, places] of theirs) {
    t.equal(ours.get(name), NOT_IN_HTACCESS.has(name) ? places.replace(FOR_EACH_FOLDER, '') : places, name)
  }
})
