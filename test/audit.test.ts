/** `gatewright audit`: an operator reads what a server has decided. */
import { readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { gatewright } from './fixtures/gatewright.ts'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'

t.setTimeout(300_000)

const RULES = [
  '<Location /office>',
  'Require ip 127.0.0.9',
  '</Location>',
  '<Location /closed>',
  'Require all denied',
  '</Location>',
  '<Location /never>',
  'Require host example.org',
  '</Location>',
]

/** A server that has decided about some requests, and has ended. @returns it, and the line of the first rule */
async function audited(t: Test, directive: string): Promise<{ readonly server: StagedServer; readonly first: number }> {
  const server = await StagedServer.make(t)
  const modules = ['authz_core', 'authz_host', 'authz_audit'].map(
    (name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.mjs`,
  )
  const lines = [...modules, directive, '<Directory @ROOT@/htdocs>', 'Require all granted', '</Directory>', ...RULES]
  const before = server.configure(...lines)
  for (const name of ['office', 'closed', 'free']) server.file(`htdocs/${name}`, name)
  await server.start()
  t.equal((await server.get('/office')).status, 403)
  t.equal((await server.get('/office', { from: '127.0.0.9' })).status, 200)
  t.equal((await server.get('/closed?password=secret')).status, 403)
  t.equal((await server.get('/free')).status, 200)
  const written = directive.endsWith('refusals') ? 2 : 4
  await until('the log has all decisions', () => server.read('logs/audit.log').split('\n').length > written)
  await server.stop()
  return { server, first: before + lines.indexOf(RULES[0]) + 2 }
}

t.test('a summary of the logs of a configuration', async (t) => {
  const { server, first } = await audited(t, 'AuthzAuditLog logs/audit.log')
  const text = await gatewright(['audit', '-d', server.root, '--day', 'all', '--color', 'never'])
  t.equal(text.status, 0, text.stderr)
  const file = server.path('conf/httpd.conf')
  const [head, refused, unmatched, byAddress] = text.stdout.trimEnd().split('\n\n')
  t.match(head, /^All days \(.*\): 4 decisions, 2 granted, 2 refused, 0 failed$/)
  t.equal(
    refused,
    `Refused
  1 x 403 Require ip 127.0.0.9 (${file}:${first})
    1  127.0.0.1  127.0.0.1/office
  1 x 403 Require all denied (${file}:${first + 3})
    1  127.0.0.1  127.0.0.1/closed`,
  )
  t.equal(
    unmatched,
    `Rules of the configuration that never matched\n  Require host example.org (${file}:${first + 6}): never asked`,
  )
  t.equal(
    byAddress,
    `Grants that rest on an address alone
  1 x Require ip 127.0.0.9 (${file}:${first})
    1  127.0.0.9  127.0.0.1/office`,
  )

  const json = JSON.parse((await gatewright(['audit', '-f', file, '--json', '--day', 'all'])).stdout)
  t.match(json, { granted: 2, refused: 2, knowsConfiguration: true, unmatched: [{ asked: 0 }], byAddress: [{ count: 1 }] })
  t.notMatch(JSON.stringify(json), /secret/)

  const log = server.path('logs/audit.log')
  writeFileSync(`${log}.1.gz`, gzipSync(readFileSync(log)))
  const both = await gatewright(['audit', '--json', '--day', 'all', log, `${log}.1.gz`])
  t.match(JSON.parse(both.stdout), { granted: 4, refused: 4, knowsConfiguration: false, unmatched: [] })
  const piped = await gatewright(['audit', '--json', '--day', 'all', '-'], readFileSync(log, 'latin1'))
  t.match(JSON.parse(piped.stdout), { day: null, granted: 2, refused: 2 })
  const other = await gatewright(['audit', '--json', '--day', '2001-01-01', log])
  t.match(JSON.parse(other.stdout), { day: '2001-01-01', granted: 0, refused: 0, otherDays: 4, first: null })
})

t.test('a log of refusals does not say which rules never match', async (t) => {
  const { server } = await audited(t, 'AuthzAuditLog logs/audit.log refusals')
  const { stdout } = await gatewright(['audit', '-d', server.root, '--day', 'all', '--color', 'never'])
  t.match(stdout, /: 2 decisions, 0 granted, 2 refused, 0 failed\n/)
  t.match(stdout, /\nWhich rules never matched is not known: the log has no grants\n/)
})

t.test('what cannot be read is named', async (t) => {
  const server = await StagedServer.make(t)
  const loads = [`LoadModule authz_core_module ${MODULES}/mod_authz_core.mjs`]
  const audit = (...words: readonly string[]) => gatewright(['audit', ...words])
  server.configure(...loads)
  t.match(await audit('-d', server.root), { status: 1, stderr: /httpd\.conf has no AuthzAuditLog\nhint: name the logs, or load/ })
  server.configure(...loads, `LoadModule authz_audit_module ${MODULES}/mod_authz_audit.mjs`, 'AuthzAuditLog "|/bin/cat"')
  t.match(await audit('-d', server.root), { status: 1, stderr: /written by a program: \|\/bin\/cat\nhint: name the files/ })
  t.match(await audit('/no/such/log'), { status: 1, stderr: /^gatewright audit: ENOENT: .*\/no\/such\/log/ })
  server.file('logs/audit.log.gz', 'not compressed')
  t.match(await audit(server.path('logs/audit.log.gz')), { status: 1, stderr: /^gatewright audit: incorrect header check/ })
  t.match(await audit('--day', 'yesterday'), {
    status: 2,
    stderr: /--day takes a date such as 2026-01-31, newest or all, not yesterday/,
  })
  t.match(await audit('--day', '2026-13-31'), { status: 2, stderr: /--day takes a date/ })
  t.match(await audit('--top', '0'), { status: 2, stderr: /--top takes a number from 1 to 9999, not 0/ })
  t.match(await audit('--help'), { status: 0, stdout: /^Usage: gatewright audit / })
})
