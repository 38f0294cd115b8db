import { renameSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Configured, run } from '../fixtures/configured.ts'
import { StagedServer } from '../fixtures/staged-server.ts'

/** The answer of mod_status, whether it has its own file or is compiled in. */
async function checkStatus(t: Test, program: string, ...lines: string[]): Promise<void> {
  const server = await StagedServer.make(t, program)
  server.configure(...lines, '<Location "/status">', 'SetHandler server-status', 'Require ip 127.0.0.1', '</Location>')
  await server.start()
  const page = await server.get('/status')
  t.match(page, { status: 200, headers: { 'content-type': /^text\/html/ }, body: /<h1>.*Server Status for/s })
  const data = await server.get('/status?auto')
  t.match(data, { status: 200, headers: { 'content-type': /^text\/plain/ }, body: /^Total Accesses: \d+$/m })
  t.match(data.body, /^Scoreboard: .*W/m)
  t.equal((await server.get('/status', { from: '127.0.0.2' })).status, 403)
  await server.stop()
}

t.test('mod_status gives the same answer from a file and compiled in, as built by gatewright rebuild', async (t) => {
  const site = Configured.make(t)
  const httpd = site.path('prefix/bin/httpd')
  t.equal((await site.configure('--enable-modules=few')).status, 0)
  t.equal((await site.install()).status, 0)
  const modules = ['authz_core', 'authz_host', 'unixd'].map(
    (name) => `LoadModule ${name}_module ${site.path(`prefix/modules/mod_${name}.mjs`)}`,
  )
  await checkStatus(t, httpd, ...modules, `LoadModule status_module ${site.path('prefix/modules/mod_status.mjs')}`)

  renameSync(site.path('prefix'), site.path('moved'))
  const rebuilt = await site.program('moved/bin/gatewright', 'rebuild', '--built', '--enable-status=static', '--disable-dir')
  t.equal(rebuilt.status, 0, rebuilt.stderr.join('\n'))
  t.notOk(site.has('prefix'), 'it was installed where it is now')
  const moved = site.path('moved/bin/httpd')
  t.match((await site.program('moved/bin/httpd', '-l')).stdout, [
    'Compiled in modules:',
    '  core.c',
    '  mod_so.c',
    '  http_core.c',
    '  mod_status.c',
  ])
  await checkStatus(t, moved, ...modules.map((line) => line.replace(site.path('prefix'), site.path('moved'))))

  const astray = await run(join(import.meta.dirname, '../../dist/bin/gatewright'), ['rebuild'])
  t.match(astray, { status: 1, stderr: [/^gatewright rebuild: error: .*config\.nice does not exist/, /^hint: .*npm run build/] })
  const refused = await site.program('moved/bin/gatewright', 'rebuild', '--enable-lua')
  t.equal(refused.status, 1)
  t.match(refused.stderr, [/mod_lua has been requested/, /^hint: .*--disable-lua/, /the server is unchanged/, /^hint: /])
})
