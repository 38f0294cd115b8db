import { connect as tlsConnect } from 'node:tls'
import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import ssl from '../src/index.ts'
import { fixture, fixtures } from './support.ts'

const CONFIG = `SSLEngine on
SSLCertificateFile conf/localhost.crt
SSLCertificateKeyFile conf/localhost.key
SSLCACertificateFile conf/cas.crt
SSLVerifyClient require`
const FILES = ['localhost.crt', 'localhost.key', 'cas.crt', 'ca.crl', 'expired.crl']
const SUITES = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256']

/** How a client reports what the server sends for its certificate. */
async function alertFor(t: Test, port: number, name: string, options: object): Promise<string> {
  const certificate = { cert: fixture(`${name}.crt`), key: fixture(`${name.replace('-chain', '')}.key`) }
  const socket = tlsConnect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...certificate, ...options })
  t.teardown(() => socket.destroy())
  return await new Promise<string>((resolve) => {
    socket.on('error', (error) => resolve('code' in error ? String(error.code) : error.message))
    socket.on('close', () => resolve('closed'))
    socket.on('data', () => resolve('served'))
  })
}

async function serve(t: Test, more = ''): Promise<number> {
  const server = await site({ modules: [authzCore, ssl], config: `${CONFIG}\n${more}`, files: fixtures(...FILES) })
  t.teardown(() => server.close())
  return await server.listen()
}

t.test('a client whose certificate is refused gets the alert that httpd sends', async (t) => {
  const [port, listed, late] = [
    await serve(t),
    await serve(t, 'SSLCARevocationFile conf/ca.crl\nSSLCARevocationCheck leaf'),
    await serve(t, 'SSLCARevocationFile conf/expired.crl\nSSLCARevocationCheck leaf'),
  ]
  const cases: readonly (readonly [number, string, string])[] = [
    [port, 'stranger', 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'],
    [port, 'selfsigned-client', 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'],
    [port, 'expired', 'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED'],
    [port, 'future', 'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE'],
    [port, 'deep-chain', 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR'],
    [listed, 'revoked', 'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_REVOKED'],
    [late, 'alice', 'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN'],
  ]
  for (const [at, name, code] of cases) {
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'])
      t.equal(await alertFor(t, at, name, { maxVersion }), code, `${name} ${maxVersion}`)
  }
})

t.test('alerts of TLS 1.3 can be read with each of its ciphers', async (t) => {
  const port = await serve(t, `SSLCipherSuite TLSv1.3 ${SUITES.join(':')}`)
  for (const suite of SUITES)
    t.equal(
      await alertFor(t, port, 'stranger', { minVersion: 'TLSv1.3', ciphers: suite }),
      'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
      suite,
    )
})
