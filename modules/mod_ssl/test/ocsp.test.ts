import { spawnSync } from 'node:child_process'
import { type ConnectionOptions, type SecureVersion, connect as tlsConnect } from 'node:tls'
import { ownState, type SharedState } from '@gatewright/core'
import { site, type TestServer } from '@gatewright/testing'
import { isMalformed, parseOcspResponse } from '@gatewright/x509'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import headers from '../../mod_headers/src/index.ts'
import socacheShmcb from '../../mod_socache_shmcb/src/index.ts'
import ssl from '../src/index.ts'
import { makeAuthority, startResponder } from './support/ocsp-authority.ts'
import { type Visit, visitServer } from './support/visit.ts'

const VERSIONS: readonly SecureVersion[] = ['TLSv1.2', 'TLSv1.3']

const skip = spawnSync('openssl', ['version']).error === undefined ? false : 'openssl is not installed'
if (skip !== false) {
  t.pass(skip)
  process.exit(0)
}
const authority = await makeAuthority(t.testdir({}))

const CONFIG = `LogLevel ssl:info
Header always set X-Verify "%{SSL_CLIENT_VERIFY}s"
SSLEngine on
SSLCertificateFile conf/server.crt
SSLCertificateKeyFile conf/server.key
SSLCACertificateFile conf/ca.crt
<Directory "@ROOT@/docs">
Require all granted
</Directory>`

async function serve(
  t: Test,
  more: string,
  shared: SharedState = ownState(),
): Promise<{ readonly server: TestServer; readonly port: number }> {
  const server = await site({
    modules: [authzCore, headers, socacheShmcb, ssl],
    config: `${CONFIG}\n${more}`,
    files: {
      'docs/f.txt': 'hello\n',
      ...authority.files('server.crt', 'server.key', 'ca.crt', 'signer.crt', 'rogue.crt', 'nourl.crt', 'nourl.key'),
    },
    shared,
  })
  t.teardown(() => server.close())
  return { server, port: await server.listen() }
}

const visit = (port: number, options: ConnectionOptions): Promise<Visit> =>
  visitServer(port, { ca: authority.read('ca.crt'), ...options })

const as = (name: string, version: SecureVersion = 'TLSv1.3'): ConnectionOptions => ({
  minVersion: version,
  maxVersion: version,
  cert: authority.read(`${name}.crt`),
  key: authority.read(`${name}.key`),
})

/** The last lines of the error log, without what precedes their codes. */
function messages(server: TestServer): string {
  return server.errors().join('\n')
}

const SERVED = /^HTTP\/1\.1 200 [\s\S]*X-Verify: SUCCESS/

t.test('clients whose certificate is good are served, all others are refused', async (t) => {
  const { server, port } = await serve(t, 'SSLVerifyClient require\nSSLOCSPEnable on')
  const stop = await startResponder(authority, 'signer')
  t.teardown(stop)
  for (const version of VERSIONS) {
    t.match((await visit(port, as('good', version))).text, SERVED, version)
    for (const name of ['revoked', 'unknown', 'nourl'])
      t.equal((await visit(port, as(name, version))).text, '', `${version} ${name}`)
  }
  t.match(
    messages(server),
    /ssl:info\].*AH03239: OCSP validation completed, certificate status: good \(0, -1\) \[subject: CN=good /,
  )
  t.match(
    messages(server),
    /ssl:error\].*AH03239: OCSP validation completed, certificate status: revoked \(1, 1\) \[subject: CN=revoked /,
  )
  t.match(messages(server), /AH02276: Certificate Verification: Error \(23\): certificate revoked \[subject: CN=revoked /)
  t.match(messages(server), /certificate status: unknown \(2, -1\) \[subject: CN=unknown /)
  t.match(
    messages(server),
    /AH02276: Certificate Verification: Error \(50\): application verification failure \[subject: CN=nourl /,
  )
})

t.test('authorities between a client and the root are asked about, too, unless only the client is to be', async (t) => {
  const stop = await startResponder(authority, 'ca')
  t.teardown(stop)
  const rules = 'SSLVerifyClient require\nSSLVerifyDepth 2'
  const { server, port } = await serve(t, `${rules}\nSSLOCSPEnable on no_ocsp_for_cert_ok`)
  const leaf = await serve(t, `${rules}\nSSLOCSPEnable leaf no_ocsp_for_cert_ok`)
  for (const version of VERSIONS) {
    const { text, session } = await visit(port, as('below', version))
    t.match(text, SERVED, version)
    t.match(await visit(port, { ...as('below', version), session }), { text: SERVED, reused: false }, `${version}: asked again`)
    t.equal((await visit(port, as('under-revoked', version))).text, '', version)
    t.match((await visit(leaf.port, as('under-revoked', version))).text, SERVED, version)
  }
  t.match(messages(server), /AH03239: [^\n]* good \(0, -1\) \[subject: CN=middle /)
  t.match(messages(server), /AH03239: [^\n]* revoked \(1, 1\) \[subject: CN=revoked-middle /)
})

t.test('responders are asked about a certificate that a folder asks for', async (t) => {
  const { server, port } = await serve(t, 'SSLOCSPEnable on\n<Location "/f.txt">\nSSLVerifyClient require\n</Location>')
  const stop = await startResponder(authority, 'ca')
  t.match((await visit(port, as('good', 'TLSv1.2'))).text, SERVED)
  t.equal((await visit(port, as('revoked', 'TLSv1.2'))).text, '')
  t.match(messages(server), /CN=revoked [^\n]*[\s\S]*AH02261: Re-negotiation handshake failed/)
  await stop()
  t.equal((await visit(port, as('good', 'TLSv1.2'))).text, '', 'no answer')
})

t.test('without an answer, clients are refused, also when they resume a session', async (t) => {
  const { server, port } = await serve(t, 'SSLVerifyClient require\nSSLOCSPEnable leaf')
  const stop = await startResponder(authority, 'signer')
  const sessions = await Promise.all(VERSIONS.map(async (version) => (await visit(port, as('good', version))).session))
  await stop()
  for (const [index, version] of VERSIONS.entries()) {
    t.equal((await visit(port, as('good', version))).text, '', version)
    t.ok(sessions[index])
    t.match(
      await visit(port, { ...as('good', version), session: sessions[index] }),
      { text: '', reused: true },
      `${version}: resumed`,
    )
  }
  t.match(messages(server), /AH01974: could not connect to OCSP responder '127\.0\.0\.1:\d+': connect ECONNREFUSED/)
})

t.test('a response that others signed is not believed, unless its signer is named', async (t) => {
  const stop = await startResponder(authority, 'rogue')
  t.teardown(stop)
  const rules = 'SSLVerifyClient require\nSSLOCSPEnable on'
  const { server, port } = await serve(t, rules)
  t.equal((await visit(port, as('good'))).text, '')
  t.match(messages(server), /AH01925: failed to verify the OCSP response \[subject: CN=good /)
  const named = await serve(t, `${rules}\nSSLOCSPResponderCertificateFile conf/rogue.crt`)
  t.match((await visit(named.port, as('good'))).text, SERVED)
  const unverified = await serve(t, `${rules}\nSSLOCSPNoVerify on`)
  t.match((await visit(unverified.port, as('good'))).text, SERVED)
  t.equal((await visit(unverified.port, as('revoked'))).text, '')
})

t.test('responses that are signed with RSA-PSS are believed', async (t) => {
  const { port } = await serve(t, 'SSLVerifyClient require\nSSLOCSPEnable on')
  const pss = ['-rsigopt', 'rsa_padding_mode:pss']
  for (const options of [pss, [...pss, '-rmd', 'sha384', '-rsigopt', 'rsa_pss_saltlen:11'], ['-rmd', 'sha512']]) {
    const stop = await startResponder(authority, 'rsa', ...options)
    t.match((await visit(port, as('good'))).text, SERVED, options.join(' '))
    t.equal((await visit(port, as('revoked'))).text, '', options.join(' '))
    await stop()
  }
})

t.test('the responder may be that of the configuration, and a certificate without one may be accepted', async (t) => {
  const stop = await startResponder(authority, 'ca')
  t.teardown(stop)
  const rules = 'SSLVerifyClient require\nSSLOCSPEnable on'
  const url = `http://127.0.0.1:${authority.port}/`
  const { port } = await serve(t, `${rules}\nSSLOCSPDefaultResponder ${url}`)
  t.match((await visit(port, as('nourl'))).text, SERVED, 'the authority signs itself')
  const generous = await serve(t, `${rules} no_ocsp_for_cert_ok`)
  t.match((await visit(generous.port, as('nourl'))).text, SERVED)
  t.equal((await visit(generous.port, as('revoked'))).text, '')
  const wrong = await serve(t, `${rules}\nSSLOCSPDefaultResponder https://127.0.0.1/\nSSLOCSPOverrideResponder on`)
  t.equal((await visit(wrong.port, as('good'))).text, '')
  const proxied = await serve(t, `${rules}\nSSLOCSPProxyURL http://127.0.0.1:1/`)
  t.equal((await visit(proxied.port, as('good'))).text, '', 'the proxy does not answer')
})

t.test('a request that arrives while the responder is asked is answered', async (t) => {
  const stop = await startResponder(authority, 'signer')
  t.teardown(stop)
  const { port } = await serve(t, 'SSLVerifyClient optional\nSSLOCSPEnable on')
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => visit(port, as('good', VERSIONS[index % 2]))))
  for (const { text } of answers) t.match(text, SERVED)
  t.match((await visit(port, {})).text, /^HTTP\/1\.1 200 [\s\S]*X-Verify: NONE/)
})

/** The OCSP response that the server sends along. */
function stapleOf(port: number, options: ConnectionOptions = {}): Promise<Buffer | null> {
  const all = { port, host: '127.0.0.1', servername: 'localhost', ca: authority.read('ca.crt'), requestOCSP: true, ...options }
  const socket = tlsConnect(all)
  return new Promise((resolve, reject) => {
    let response: Buffer | null = null
    socket.on('OCSPResponse', (der: Buffer | null) => {
      response = der
    })
    socket.on('secureConnect', () => {
      resolve(response)
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

function statusIn(der: Buffer | null): string {
  const response = der === null ? null : parseOcspResponse(der)
  if (response === null) return 'none'
  if (isMalformed(response)) return 'malformed'
  return response.basic === undefined ? `error ${response.status}` : response.basic.responses[0].status
}

const STAPLING = 'SSLUseStapling on\nSSLStaplingCache shmcb:staples(32768)'

t.test('the status of the server is sent along, and kept', async (t) => {
  const stop = await startResponder(authority, 'signer')
  const shared = ownState()
  const [first, second] = [await serve(t, STAPLING, shared), await serve(t, STAPLING, shared)]
  const brief = await serve(t, `${STAPLING}\nSSLStaplingStandardCacheTimeout 0\nSSLStaplingErrorCacheTimeout 0`)
  const responses: (Buffer | null)[] = []
  for (const maxVersion of VERSIONS) responses.push(await stapleOf(first.port, { maxVersion }))
  t.equal(statusIn(responses[0]), 'good')
  t.same(responses[1], responses[0])
  t.match((await visit(first.port, {})).text, /^HTTP\/1\.1 200 /, 'a client that does not ask')
  t.equal(statusIn(await stapleOf(brief.port)), 'good')
  await stop()
  t.same(await stapleOf(second.port), responses[0], 'another process has the same response')
  t.equal(statusIn(await stapleOf(brief.port)), 'good', 'an old response that is still valid')
})

t.test('without an answer of the responder, clients are served', async (t) => {
  const tryLater = await serve(t, STAPLING)
  t.equal(statusIn(await stapleOf(tryLater.port)), 'error 3')
  t.match(messages(tryLater.server), /ssl:error\].*AH01941: stapling_renew_response: responder error: connect ECONNREFUSED/)
  const silent = await serve(t, `${STAPLING}\nSSLStaplingFakeTryLater off`)
  t.equal(statusIn(await stapleOf(silent.port)), 'none')
  const hidden = await serve(t, `${STAPLING}\nSSLStaplingReturnResponderErrors off`)
  t.equal(statusIn(await stapleOf(hidden.port)), 'none')
  t.match((await visit(hidden.port, {})).text, /^HTTP\/1\.1 200 /)
})

t.test('a response that others signed is not sent along', async (t) => {
  const stop = await startResponder(authority, 'rogue')
  t.teardown(stop)
  const { server, port } = await serve(t, STAPLING)
  t.equal(statusIn(await stapleOf(port)), 'error 3')
  t.match(messages(server), /AH01943: stapling_renew_response: error in retrieved response!/)
})

t.test('a certificate that cannot be asked about is logged, and served', async (t) => {
  const lone = await serve(t, `${STAPLING}\nSSLCertificateFile conf/nourl.crt\nSSLCertificateKeyFile conf/nourl.key`)
  t.match(messages(lone.server), /ssl:error\].*AH02218: ssl_stapling_init_cert: no OCSP URI in certificate [\s\S]*AH02604: /)
  const forced = await serve(t, `${STAPLING}\nSSLStaplingForceURL http://127.0.0.1:${authority.port}/`)
  const stop = await startResponder(authority, 'ca')
  t.teardown(stop)
  t.equal(statusIn(await stapleOf(forced.port)), 'good')
})
