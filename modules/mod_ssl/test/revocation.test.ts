import { connect as tlsConnect } from 'node:tls'
import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import ssl from '../src/index.ts'
import { fixture, fixtures } from './support.ts'

const FILES = ['localhost.crt', 'localhost.key', 'cas.crt', 'ca.crt', 'ca.crl', 'cas.crl', 'expired.crl', 'other-ca.crl']
const NAMES: readonly (readonly [string, string])[] = [
  ['alice', 'alice'],
  ['revoked', 'revoked'],
  ['deep-chain', 'deep'],
]

/** The clients that are served, of those with a good certificate, a revoked one, and one of another authority. */
async function served(t: Test, lines: string): Promise<{ readonly names: readonly string[]; readonly log: string }> {
  const config = `SSLEngine on
SSLCertificateFile conf/localhost.crt
SSLCertificateKeyFile conf/localhost.key
SSLCACertificateFile conf/cas.crt
SSLVerifyClient require
SSLVerifyDepth 3
${lines}`
  const server = await site({ modules: [authzCore, ssl], config, files: fixtures(...FILES) })
  t.teardown(() => server.close())
  const port = await server.listen()
  const names: string[] = []
  for (const [name, key] of NAMES) {
    const certificate = { cert: fixture(`${name}.crt`), key: fixture(`${key}.key`) }
    const socket = tlsConnect({ port, host: '127.0.0.1', servername: 'localhost', ca: fixture('ca.crt'), ...certificate })
    socket.write('GET / HTTP/1.0\r\n\r\n')
    const answered = await new Promise<boolean>((resolve) => {
      socket.on('data', () => resolve(true))
      socket.on('error', () => resolve(false))
      socket.on('close', () => resolve(false))
    })
    socket.destroy()
    if (answered) names.push(name)
  }
  return { names, log: server.errors().join('\n') }
}

const ALL = NAMES.map(([name]) => name)

t.test('lists are looked at as SSLCARevocationCheck says', async (t) => {
  const allowed = async (lines: string): Promise<readonly string[]> => (await served(t, lines)).names
  t.same(await allowed('SSLCARevocationFile conf/ca.crl'), ALL, 'without check')
  t.same(await allowed('SSLCARevocationFile conf/ca.crl\nSSLCARevocationCheck leaf'), ['alice'])
  t.same(await allowed('SSLCARevocationFile conf/ca.crl\nSSLCARevocationCheck chain'), ['alice'])
  const missingIsFine = 'SSLCARevocationCheck leaf no_crl_for_cert_ok'
  t.same(await allowed(`SSLCARevocationFile conf/ca.crl\n${missingIsFine}`), ['alice', 'deep-chain'])
  t.same(await allowed(`SSLCARevocationFile conf/other-ca.crl\n${missingIsFine}`), ALL)
  t.same(await allowed('SSLCARevocationFile conf/cas.crl\nSSLCARevocationCheck chain no_crl_for_cert_ok'), [
    'alice',
    'deep-chain',
  ])
})

t.test('a check without any usable list refuses everybody', async (t) => {
  for (const whose of ['leaf', 'chain']) {
    for (const file of ['ca.crt', 'other-ca.crl', 'expired.crl']) {
      const { names } = await served(t, `SSLCARevocationFile conf/${file}\nSSLCARevocationCheck ${whose}`)
      t.same(names, [], `${file} ${whose}`)
    }
  }
  const expired = await served(t, 'SSLCARevocationFile conf/expired.crl\nSSLCARevocationCheck leaf no_crl_for_cert_ok')
  t.notOk(expired.names.includes('alice'), 'a list that has expired is not missing')
  t.match(expired.log, /AH02039: Certificate Verification: Error \(12\): CRL has expired/)
})
