import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { NICE_2_2, NICE_2_4 } from '../../packages/module-kit/test/configure/recorded.ts'
import { Configured } from '../fixtures/configured.ts'
import { StagedServer } from '../fixtures/staged-server.ts'

/** The configuration of the installation. */
const ORIGINAL = 'conf/original/httpd.conf'
const NAMED = ['-C', 'ServerName localhost']
/** The first lines of -M for every server. */
const CORE = ['core_module (static)', 'so_module (static)', 'http_module (static)', 'mpm_event_module (static)']
/** Modules of class few, in httpd's order. */
const FEW =
  'authn_file authn_core authz_host authz_groupfile authz_user authz_core access_compat auth_basic reqtimeout filter mime log_config env headers setenvif version unixd status autoindex dir alias'.split(
    ' ',
  )

function shared(names: readonly string[]): string[] {
  return names.map((name) => `${name}_module (shared)`)
}

async function loadedModules(configFile = 'conf/httpd.conf'): Promise<string[]> {
  const { stdout, stderr } = await site.program('prefix/bin/httpd', '-M', ...NAMED, '-f', configFile)
  if (stdout[0] !== 'Loaded Modules:') throw new Error(stderr.join('\n'))
  return stdout.slice(1).map((line) => line.trim())
}

/** One prefix with repeated installations, so that Node is copied once. */
const site = Configured.make(t)

t.test('recorded commands of httpd drive a build each, one installed over the other', async (t) => {
  writeFileSync(site.path('2.4.nice'), NICE_2_4)
  writeFileSync(site.path('2.2.nice'), NICE_2_2)

  const configured = await site.configure('--from', site.path('2.4.nice'))
  t.strictSame([configured.status, configured.stderr], [0, []])
  t.equal((await site.install()).status, 0)
  t.strictSame(
    await loadedModules(),
    [...CORE, 'authz_core_module (static)', ...shared(FEW.filter((name) => name !== 'authz_core' && name !== 'status'))],
    '2.4: --enable-mods-static=authz-core, --disable-status, and few of the others loaded',
  )
  t.match(site.read('prefix/conf/httpd.conf'), /^Listen 8350$[\s\S]*^#LoadModule rewrite_module modules\/mod_rewrite\.mjs$/m)
  t.match(site.read('prefix/conf/extra/tls-defaults.conf'), /^SSLProtocol -all \+TLSv1\.2 \+TLSv1\.3$/m)
  t.notMatch(site.read('prefix/conf/extra/httpd-ssl.conf'), '@')
  t.equal(site.read('prefix/build/config.nice'), site.read('build/config.nice'))

  writeFileSync(site.path('prefix/conf/httpd.conf'), '# the operator was here\n')
  const data = JSON.parse((await site.configure('--json', '--from', site.path('2.2.nice'))).stdout.join('\n'))
  t.match(data, { recordedBy: '2.2', leftOut: [], withoutMeaning: ['--with-included-apr', 'CFLAGS=-O2'] })
  const { kept } = JSON.parse((await site.install('--json')).stdout.join('\n'))
  t.strictSame(
    kept,
    ['prefix/conf/extra/httpd-vhosts.conf', 'prefix/conf/httpd.conf'].map((name) => site.path(name)),
  )
  t.equal(site.read('prefix/conf/httpd.conf'), '# the operator was here\n')
  t.strictSame(
    await loadedModules(ORIGINAL),
    [...CORE, 'deflate_module (static)', ...shared(FEW)],
    '2.2: --enable-mods-shared=all, --enable-deflate=static',
  )
  t.match(site.read('prefix/conf/original/httpd.conf'), /^Listen 80$/m)

  const again = await site.program('prefix/build/config.nice', '--enable-load-all-modules', '--disable-info')
  t.equal(again.status, 0, 'the installed config.nice runs again, though it names modules that this server lacks')
  t.match(site.read('build/config.nice'), /"--enable-load-all-modules" \\\n"--disable-info" \\\n/)
})

t.test('every module of the source tree can be compiled in', async (t) => {
  t.equal((await site.configure('--enable-mods-static=reallyall', '--with-port=8350')).status, 0)
  t.equal((await site.install()).status, 0)
  const sources = readdirSync(join(import.meta.dirname, '../../modules')).map((name) => `  ${name}.c`)
  const own = ['  core.c', '  mod_so.c', '  http_core.c', '  event.c']
  const { stdout } = await site.program('prefix/bin/httpd', '-l')
  t.strictSame(stdout.slice(1).sort(), [...sources, ...own].sort())
  t.strictSame(
    (await loadedModules(ORIGINAL)).filter((line) => !line.endsWith('_module (static)')),
    [],
  )
  t.equal((await loadedModules(ORIGINAL)).length, sources.length + own.length)
  const checked = await site.program('prefix/bin/httpd', '-t', ...NAMED, '-f', ORIGINAL)
  t.strictSame(checked.stderr, ['Syntax OK'])
  const server = await StagedServer.make(t, site.path('prefix/bin/httpd'))
  server.file('htdocs/index.html', 'every module is here')
  server.configure(
    '<Directory "@ROOT@/htdocs">',
    'Require all granted',
    '</Directory>',
    'DirectoryIndex index.html',
    'RewriteEngine On',
    'RewriteRule ^/there$ / [PT]',
    'TypesConfig /dev/null',
  )
  await server.start()
  t.match(await server.get('/there'), { status: 200, body: 'every module is here' })
  await server.stop()
})
