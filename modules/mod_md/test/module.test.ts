import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configError, moduleLog, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import ssl from '../../mod_ssl/src/index.ts'
import status from '../../mod_status/src/index.ts'
import md from '../src/index.ts'

/** No CA is ever asked: the check begins long after the test. */
const QUIET = 'MDInitialDelay 1h\nMDContactEmail a@example.org\nMDCertificateAuthority https://localhost:1/dir'
const DENIED = '<Location "/">\nRequire all denied\n</Location>'
const PREFIX = '/.well-known/acme-challenge/'

async function serve(t: Test, config: string): Promise<TestServer> {
  const server = await site({ modules: [authzCore, ssl, md], config: `${QUIET}\n${config}` })
  t.teardown(() => server.close())
  return server
}

function host(name: string, lines = ''): string {
  return `<VirtualHost *:80>\nServerName ${name}\n${DENIED}\n${lines}\n</VirtualHost>`
}

function answer(server: TestServer, name: string, content: string): void {
  const folder = join(server.serverRoot, 'md/challenges', name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'acme-http-01.txt'), content)
}

t.test('a challenge is answered where everything is denied, for its own token only', async (t) => {
  const server = await serve(t, `MDomain a.example.org\n${host('a.example.org')}`)
  answer(server, 'a.example.org', 'token-1.thumbprint')
  const headers = { Host: 'a.example.org' }
  t.match(await server.inject({ target: `${PREFIX}token-1`, headers }), { status: 200, body: 'token-1.thumbprint' })
  t.match(await server.inject({ target: `${PREFIX}token-2`, headers }), { status: 404 })
  t.match(await server.inject({ target: `${PREFIX}token`, headers }), { status: 404 }, 'a part of the token')
  t.match(await server.inject({ target: `${PREFIX}token-1`, headers, method: 'POST' }), { status: 501 })
  t.match(await server.inject({ target: `${PREFIX}a/b`, headers }), { status: 403 })
  t.match(await server.inject({ target: '/other', headers }), { status: 403 })
})

t.test('tokens of others are the business of others', async (t) => {
  const server = await serve(
    t,
    `MDomain a.example.org\n<MDomain b.example.org>\nMDRenewMode manual\n</MDomain>\n${host('a.example.org')}\n${host('b.example.org')}\n${host('c.example.org')}`,
  )
  for (const name of ['b.example.org', 'c.example.org']) {
    t.match(await server.inject({ target: `${PREFIX}x`, headers: { Host: name } }), { status: 403 }, name)
  }
  t.match(await server.inject({ target: `${PREFIX}x`, headers: { Host: 'a.example.org' } }), { status: 404 })
})

t.test('a domain that may not be proven by http-01 leaves its tokens to others', async (t) => {
  const server = await serve(t, `<MDomain a.example.org>\nMDCAChallenges dns-01\n</MDomain>\n${host('a.example.org')}`)
  answer(server, 'a.example.org', 'token-1.thumbprint')
  t.match(await server.inject({ target: `${PREFIX}token-1`, headers: { Host: 'a.example.org' } }), { status: 403 })
})

t.test('an answer that is a link is not followed', async (t) => {
  const server = await serve(t, `MDomain a.example.org\n${host('a.example.org')}`)
  const folder = join(server.serverRoot, 'md/challenges/a.example.org')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(server.serverRoot, 'secret'), 'token-1.secret')
  symlinkSync(join(server.serverRoot, 'secret'), join(folder, 'acme-http-01.txt'))
  t.match(await server.inject({ target: `${PREFIX}token-1`, headers: { Host: 'a.example.org' } }), { status: 500 })
})

t.test('clients are sent to https, with the codes that keep their method', async (t) => {
  const server = await serve(
    t,
    `<MDomain a.example.org>\nMDRequireHttps temporary\n</MDomain>\n<MDomain b.example.org>\nMDRequireHttps permanent\n</MDomain>\n${host('a.example.org')}\n${host('b.example.org')}`,
  )
  const ask = async (name: string, method: string): Promise<readonly [number, string | undefined]> => {
    const response = await server.inject({ target: '/x%20y?q=1', headers: { Host: name }, method })
    return [response.status, response.header('Location')]
  }
  t.same(await ask('a.example.org', 'GET'), [302, 'https://a.example.org/x%20y?q=1'])
  t.same(await ask('a.example.org', 'POST'), [307, 'https://a.example.org/x%20y?q=1'])
  t.same(await ask('b.example.org', 'GET'), [301, 'https://b.example.org/x%20y?q=1'])
  t.same(await ask('b.example.org', 'POST'), [308, 'https://b.example.org/x%20y?q=1'])
  t.match(await server.inject({ target: '/.well-known/x', headers: { Host: 'a.example.org' } }), { status: 403 })
})

t.test('the handler shows all domains or one, and never a secret', async (t) => {
  const server = await serve(
    t,
    `MDExternalAccountBinding kid-1 c2VjcmV0LWhtYWM\nMDomain a.example.org\nMDomain b.example.org\n${host('a.example.org', '<Location "/s">\nSetHandler md-status\nRequire all granted\n</Location>')}\n${host('b.example.org')}`,
  )
  const ask = (target: string, method = 'GET'): ReturnType<TestServer['inject']> =>
    server.inject({ target, method, headers: { Host: 'a.example.org' } })
  const all = await ask('/s')
  const json = JSON.parse(all.body)
  t.equal(json.version, '2.6.10')
  t.same(
    json['managed-domains'].map(({ name, state }: { name: string; state: number }) => [name, state]),
    [
      ['a.example.org', 1],
      ['b.example.org', 1],
    ],
  )
  t.notMatch(all.body, /c2VjcmV0/)
  t.match(JSON.parse((await ask('/s/b.example.org')).body), {
    name: 'b.example.org',
    'state-descr': 'certificate(rsa) is missing',
  })
  t.match(await ask('/s', 'POST'), { status: 501 })
})

t.test('files of the store are readable by their owner only where they have keys', async (t) => {
  const server = await serve(t, `MDomain a.example.org\n${host('a.example.org')}`)
  const mode = (name: string): number => statSync(join(server.serverRoot, 'md', name)).mode & 0o777
  t.equal(mode('md_store.json'), 0o600)
  t.equal(mode('domains/a.example.org'), 0o700)
  t.equal(mode('domains/a.example.org/md.json'), 0o600)
  t.equal(mode('challenges'), 0o755)
  t.match(JSON.parse(readFileSync(join(server.serverRoot, 'md/domains/a.example.org/md.json'), 'utf8')), {
    contacts: ['mailto:a@example.org'],
    'renew-mode': 1,
    'renew-window': '33%',
  })
})

t.test('what cannot work stops the start, with a line in the error log', async (t) => {
  const refused = async (config: string): Promise<unknown> =>
    configError({ modules: [authzCore, ssl, md], config: `${QUIET}\n${config}` })
  for (const config of [
    'MDomain a.example.org b.example.org\nMDomain b.example.org',
    '<MDomain a.example.org>\nMDCertificateFile x\n</MDomain>',
    'MDomain localhost',
    'MDomain "../x"',
    'MDCertificateProtocol other\nMDomain a.example.org',
    'MDCertificateAuthority http://localhost/dir\nMDomain a.example.org',
    'MDPrivateKeys x25519\nMDomain a.example.org',
  ]) {
    t.equal(await refused(config), 'AH00016: Configuration Failed', config)
  }
})

t.test('a domain without servers is reported, and its certificate not obtained', async (t) => {
  const server = await serve(t, 'MDomain nowhere.example.org')
  t.match(moduleLog(server, 'md').join('\n'), /AH10045: No VirtualHost matches Managed Domain nowhere\.example\.org/)
  t.equal(existsSync(join(server.serverRoot, 'md/staging/nowhere.example.org')), false)
})

t.test('a server that needs a certificate first gets one of its own', async (t) => {
  const server = await serve(
    t,
    'MDomain a.example.org\n<VirtualHost *:443>\nServerName a.example.org\nServerAlias www.a.example.org\nSSLEngine on\n</VirtualHost>',
  )
  t.ok(existsSync(join(server.serverRoot, 'md/domains/a.example.org/fallback-pubcert.pem')))
  const json = JSON.parse(readFileSync(join(server.serverRoot, 'md/domains/a.example.org/md.json'), 'utf8'))
  t.same(json.domains, ['a.example.org', 'www.a.example.org'], 'the aliases of the server belong to it')
})

t.test('the status page has a section about domains when it is asked for', async (t) => {
  const lines = '<Location "/s">\nSetHandler server-status\nRequire all granted\n</Location>'
  const ask = async (more: string, target: string): Promise<string> => {
    const server = await site({
      modules: [authzCore, ssl, md, status],
      config: `${QUIET}\n${more}\nMDomain a.example.org\n${host('a.example.org', lines)}`,
    })
    t.teardown(() => server.close())
    return (await server.inject({ target, headers: { Host: 'a.example.org' } })).body
  }
  t.notMatch(await ask('', '/s'), /Managed Certificates/)
  t.match(
    await ask('MDServerStatus on', '/s'),
    /<h3>Managed Certificates<\/h3>[\s\S]*<td>a\.example\.org<\/td>[\s\S]*<td>incomplete: certificate\(rsa\) is missing<\/td>/,
  )
  const auto = await ask('MDServerStatus on', '/s?auto')
  t.same(auto.slice(auto.indexOf('ManagedCertificatesTotal')).trimEnd().split('\n'), [
    'ManagedCertificatesTotal: 1',
    'ManagedCertificatesOK: 0',
    'ManagedCertificatesRenew: 1',
    'ManagedCertificatesErrored: 0',
    'ManagedCertificatesReady: 0',
    'ManagedDomain[0]Domain: a.example.org',
    'ManagedDomain[0]Names[0]: a.example.org',
    'ManagedDomain[0]Status: incomplete: certificate(rsa) is missing',
    'ManagedDomain[0]CAName: localhost',
    'ManagedDomain[0]CAURL: https://localhost:1/dir',
    'ManagedDomain[0]Activity: Pending',
    'ManagedStaplingsTotal: 0',
    'ManagedStaplingsOK: 0',
    'ManagedStaplingsRenew: 0',
    'ManagedStaplingsErrored: 0',
  ])
})
