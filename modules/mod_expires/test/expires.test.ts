import { httpDate } from '@gatewright/api/text'
import { type SiteOptions, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import alias from '../../mod_alias/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import headers from '../../mod_headers/src/index.ts'
import expires from '../src/index.ts'

type TestServer = Awaited<ReturnType<typeof site>>

async function serve(t: Test, config: string, files: SiteOptions['files'] = {}): Promise<TestServer> {
  const server = await site({
    modules: [authzCore, alias, headers, expires],
    config: `ExpiresActive On\n${config}`,
    files: { 'docs/f.txt': 'text', ...files },
  })
  t.teardown(() => server.close())
  return server
}

t.test('a lifetime after access is sent as a date and in seconds', async (t) => {
  const server = await serve(t, 'ExpiresDefault "access plus 1 hour"')
  const before = Date.now()
  const { header } = await server.inject('/f.txt')
  t.equal(header('Cache-Control'), 'max-age=3600')
  const expires = Date.parse(header('Expires') ?? '')
  t.ok(expires >= Math.floor(before / 1000) * 1000 + 3_600_000 && expires <= Date.now() + 3_600_000)
})

t.test('a lifetime after modification that has ended is sent as the present time', async (t) => {
  const server = await serve(t, 'ExpiresDefault M-10')
  const { header } = await server.inject('/f.txt')
  t.equal(header('Cache-Control'), 'max-age=0')
  t.equal(header('Expires'), httpDate(Date.parse(header('Date') ?? '')))
})

t.test('the exact type takes precedence over its main type, and this over the default', async (t) => {
  const rules = 'ExpiresByType text/HTML A1\nExpiresByType text/* A2\nExpiresDefault A3'
  for (const [type, seconds] of [
    ['text/html', 1],
    ['text/html; charset=utf-8', 1],
    ['text/css', 2],
    ['image/png', 3],
  ] as const) {
    const server = await serve(t, `${rules}\nForceType "${type}"`)
    t.equal((await server.inject('/f.txt')).header('Cache-Control'), `max-age=${seconds}`, type)
  }
})

t.test('errors have no lifetime, redirects and 304 do', async (t) => {
  const server = await serve(t, 'ExpiresDefault A60\nRedirect /old http://elsewhere.example/')
  t.equal((await server.inject('/nosuch')).header('Expires'), undefined)
  t.match((await server.inject('/old')).header('Cache-Control'), 'max-age=60')
  const same = await server.inject({ target: '/f.txt', headers: { 'If-None-Match': '*' } })
  t.equal(same.status, 304)
  t.equal(same.header('Cache-Control'), 'max-age=60')
})

t.test('mod_headers can change the fields', async (t) => {
  const append = await serve(t, 'ExpiresDefault A60\nHeader append Cache-Control public')
  t.equal((await append.inject('/f.txt')).header('Cache-Control'), 'max-age=60, public')
  const unset = await serve(t, 'ExpiresDefault A60\nHeader unset Cache-Control\nHeader unset Expires')
  const { header } = await unset.inject('/f.txt')
  t.equal(header('Cache-Control'), undefined)
  t.equal(header('Expires'), undefined)
})

t.test('an inner section disables it, or changes one type', async (t) => {
  const off = '<Directory "@ROOT@/docs/off">\nExpiresActive Off\n</Directory>'
  const css = '<Directory "@ROOT@/docs/css">\nExpiresByType text/css A5\n</Directory>'
  const server = await serve(t, `ForceType text/css\nExpiresByType text/css A1\n${off}\n${css}`, {
    'docs/off/f.txt': '',
    'docs/css/f.txt': '',
  })
  t.equal((await server.inject('/f.txt')).header('Cache-Control'), 'max-age=1')
  t.equal((await server.inject('/off/f.txt')).header('Cache-Control'), undefined)
  t.equal((await server.inject('/css/f.txt')).header('Cache-Control'), 'max-age=5')
})
