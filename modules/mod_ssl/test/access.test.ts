import type { AnyModule } from '@gatewright/api'
import type { TlsView } from '@gatewright/api/peers'
import { site, type TestServer } from '@gatewright/testing'
import { issueCertificate } from '@gatewright/x509'
import t, { type Test } from 'tap'
import authBasic from '../../mod_auth_basic/src/index.ts'
import authnCore from '../../mod_authn_core/src/index.ts'
import authnFile from '../../mod_authn_file/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import headers from '../../mod_headers/src/index.ts'
import { makeAuthority, newKey } from './support/made-certificates.ts'
import { der, securedConnections } from './support.ts'

const PLAIN = '192.0.2.1'
const MODULES: readonly AnyModule[] = [authzCore, authzUser, authnCore, authnFile, authBasic, headers]

async function serve(
  t: Test,
  config: string,
  view: Partial<TlsView> = {},
  files: Readonly<Record<string, string>> = {},
): Promise<TestServer> {
  const server = await site({
    modules: [...MODULES, securedConnections(view)],
    config: `<Directory "@ROOT@/docs">\nRequire all granted\n</Directory>\n${config}`,
    files: { 'docs/f.txt': 'hello\n', 'docs/d/f.txt': 'inner\n', ...files },
  })
  t.teardown(() => server.close())
  return server
}

const folder = (lines: string): string => `<Directory "@ROOT@/docs">\n${lines}\n</Directory>`

t.test('SSLRequireSSL refuses requests in the clear', async (t) => {
  const server = await serve(t, folder('SSLRequireSSL'))
  t.match(await server.inject('/f.txt'), { status: 200 })
  t.match(await server.inject({ target: '/f.txt', remoteAddress: PLAIN }), { status: 403 })
  t.match(server.errors().at(-1), /\[ssl:error\].*AH02219: access to .*\/f\.txt failed, reason: SSL connection required$/)
})

t.test('SSLRequire adds up over sections, and is not checked in the clear', async (t) => {
  const inner = '<Directory "@ROOT@/docs/d">\nSSLRequire %{REQUEST_METHOD} eq "GET"\n</Directory>'
  const server = await serve(t, `${folder('SSLRequire %{HTTP:X-Pass} eq "yes"')}\n${inner}`)
  const ask = async (method: string, pass: string): Promise<number> =>
    (await server.inject({ target: '/d/f.txt', method, headers: { 'X-Pass': pass } })).status
  t.strictSame([await ask('GET', 'yes'), await ask('HEAD', 'yes'), await ask('GET', 'no')], [200, 403, 403])
  t.match(server.errors().at(-1), /AH02229: access to .*\/d\/f\.txt failed, reason: SSL requirement expression not fulfilled$/)
  t.match(await server.inject({ target: '/d/f.txt', remoteAddress: PLAIN }), { status: 200 })
})

t.test('comparisons of SSLRequire are those of texts, shorter ones first', async (t) => {
  const rows: readonly (readonly [string, number])[] = [
    ['10 > 9', 200],
    ['"10" > "9"', 200],
    ['"b" < "aa"', 200],
    ['1 eq 01', 403],
    ['"abc" le "abc"', 200],
    ['"abd" ge "abc"', 200],
    ['9 ge 10', 403],
  ]
  for (const [expression, status] of rows) {
    const server = await serve(t, folder(`SSLRequire ${expression}`))
    t.match(await server.inject('/f.txt'), { status }, expression)
  }
})

t.test('StrictRequire keeps what SSLRequireSSL refused, whatever Satisfy says', async (t) => {
  const server = await serve(t, folder('SSLRequireSSL\nSSLOptions +StrictRequire'))
  t.match(await server.inject({ target: '/f.txt', remoteAddress: PLAIN }), { status: 403 })
})

t.test('Require ssl and Require ssl-verify-client look at the connection', async (t) => {
  const asks = async (require: string, view: Partial<TlsView>, remoteAddress: string): Promise<number> => {
    const server = await serve(t, folder(`Require ${require}`), view)
    return (await server.inject({ target: '/f.txt', remoteAddress })).status
  }
  const alice = { clientCertificate: der('alice.crt') }
  t.equal(await asks('ssl', {}, '127.0.0.1'), 200)
  t.equal(await asks('ssl', {}, PLAIN), 403)
  t.equal(await asks('ssl-verify-client', {}, '127.0.0.1'), 403)
  t.equal(await asks('ssl-verify-client', alice, '127.0.0.1'), 200)
  t.equal(await asks('ssl-verify-client', { ...alice, verifyResult: 'certificate has expired' }, '127.0.0.1'), 403)
})

t.test('SSLUserName names the user without authentication', async (t) => {
  const server = await serve(t, folder('SSLUserName SSL_CLIENT_S_DN_CN\nRequire valid-user'), {
    clientCertificate: der('alice.crt'),
  })
  t.match(await server.inject('/f.txt'), { status: 200 })
  const without = await serve(t, folder('SSLUserName SSL_CLIENT_S_DN_CN'))
  t.match(await without.inject('/f.txt'), { status: 200 })
  t.match(without.errors().at(-1), /AH02227: Failed to set r->user to 'SSL_CLIENT_S_DN_CN'$/)
})

t.test('FakeBasicAuth replaces the credentials, and nobody can type them', async (t) => {
  const config = folder('SSLOptions +FakeBasicAuth\nAuthType Basic\nAuthName x\nAuthUserFile "@ROOT@/users"\nRequire valid-user')
  const spoof = { Authorization: `Basic ${Buffer.from('/CN=alice:password').toString('base64')}` }
  const without = await serve(t, config, {}, { users: '/CN=alice:xxj31ZMTZzkVA\n' })
  t.match(await without.inject({ target: '/f.txt', headers: spoof }), { status: 403 })
  t.match(without.errors().at(-1), /AH02035: Encountered FakeBasicAuth spoof: \/CN=alice$/)
  const named = await serve(t, `${config}\nLogLevel ssl:info`, { clientCertificate: der('alice.crt') }, { users: 'nobody:x\n' })
  t.match(await named.inject('/f.txt'), { status: 401 })
  const faked = named.errors().find((line) => line.includes('AH02036'))
  const [, encoded = ''] = /Authorization: Basic ([^"\\]*)/.exec(faked ?? '') ?? []
  t.match(Buffer.from(encoded, 'base64').toString(), /^\/.*CN=.*:password$/)
})

t.test('a certificate without a subject is that of nobody, whatever its client has typed', async (t) => {
  const config = folder('SSLOptions +FakeBasicAuth\nAuthType Basic\nAuthName x\nAuthUserFile "@ROOT@/users"\nRequire valid-user')
  const dates = { notBefore: new Date(0), notAfter: new Date(Date.UTC(2100, 0, 1)) }
  const clientCertificate = issueCertificate({
    ...dates,
    key: newKey(),
    subject: [],
    hosts: [],
    issuer: makeAuthority({ name: 'Root' }),
  })
  const files = { users: 'bob:xxj31ZMTZzkVA\n' }
  const headers = { Authorization: `Basic ${Buffer.from('bob:password').toString('base64')}` }
  const without = await serve(t, config, {}, files)
  t.match(await without.inject({ target: '/f.txt', headers }), { status: 200 })
  const nameless = await serve(t, config, { clientCertificate }, files)
  t.match(await nameless.inject({ target: '/f.txt', headers }), { status: 401 })
})

t.test('the environment has the variables that SSLOptions asks for', async (t) => {
  const show = (name: string): string => `Header set X-${name.replaceAll('_', '-')} "%{${name}}e"`
  const names = ['HTTPS', 'SSL_TLS_SNI', 'SSL_PROTOCOL', 'SSL_CLIENT_S_DN_CN', 'SSL_CLIENT_VERIFY', 'SSL_SERVER_M_VERSION']
  const values = async (options: string): Promise<readonly (string | undefined)[]> => {
    const server = await serve(t, folder(`${options}\n${names.map(show).join('\n')}`), { clientCertificate: der('alice.crt') })
    const answer = await server.inject('/f.txt')
    return names.map((name) => answer.header(`X-${name.replaceAll('_', '-')}`))
  }
  t.strictSame(await values(''), ['on', 'localhost', '(null)', '(null)', '(null)', '(null)'])
  const [, , protocol, name, verify, version] = await values('SSLOptions +StdEnvVars')
  t.strictSame([protocol, verify, version], ['TLSv1.3', 'SUCCESS', '3'])
  t.match(name, /\w/)
})

t.test('fields of mod_headers have the variables of TLS', async (t) => {
  const names = ['HTTPS', 'SSL_CIPHER', 'SSL_CLIENT_VERIFY', 'SSL_NOSUCH']
  const server = await serve(t, names.map((name, index) => `Header always set X-${index} "%{${name}}s"`).join('\n'))
  const values = async (remoteAddress: string): Promise<readonly (string | undefined)[]> => {
    const answer = await server.inject({ target: '/f.txt', remoteAddress })
    return names.map((_, index) => answer.header(`X-${index}`))
  }
  t.strictSame(await values('127.0.0.1'), ['on', 'TLS_AES_256_GCM_SHA384', 'NONE', '(null)'])
  t.strictSame(await values(PLAIN), ['off', '(null)', '(null)', '(null)'])
})

t.test('expressions know TLS', async (t) => {
  const rows: readonly (readonly [string, number])[] = [
    ['%{HTTPS} == "on"', 200],
    ['%{SSL_PROTOCOL} == "TLSv1.3"', 200],
    ['%{SSL:SSL_CIPHER} =~ /GCM/', 200],
    ['%{SSL_NOSUCH} == ""', 200],
    ['"x" in PeerExtList("1.2.3")', 403],
  ]
  for (const [expression, status] of rows) {
    const server = await serve(t, folder(`Require expr ${expression}`))
    t.match(await server.inject('/f.txt'), { status }, expression)
  }
  const server = await serve(t, folder('Require expr %{HTTPS} == "off" && %{SSL_PROTOCOL} == ""'))
  t.match(await server.inject({ target: '/f.txt', remoteAddress: PLAIN }), { status: 200 })
})
