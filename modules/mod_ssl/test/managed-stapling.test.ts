import { spawnSync } from 'node:child_process'
import { connect } from 'node:tls'
import { site } from '@gatewright/testing'
import { isMalformed, parseOcspResponse } from '@gatewright/x509'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import md from '../../mod_md/src/index.ts'
import ssl from '../src/index.ts'
import { makeAuthority, startResponder } from './support/ocsp-authority.ts'

const skip = spawnSync('openssl', ['version']).error === undefined ? false : 'openssl is not installed'

t.test('MDStapling sends the status of certificates along, those of others unless MDStapleOthers is off', { skip }, async (t) => {
  const authority = await makeAuthority(t.testdir({}))
  const stop = await startResponder(authority, 'signer')
  t.teardown(stop)
  const certificate = 'SSLEngine on\nSSLCertificateFile conf/server.crt\nSSLCertificateKeyFile conf/server.key'
  const own = `<MDomain localhost.example>\nMDCertificateFile conf/server.crt\nMDCertificateKeyFile conf/server.key\nMDStapling on\n</MDomain>`
  for (const [config, isStapled] of [
    [`MDStapling on\n${certificate}`, true],
    [`MDStapling on\nMDStapleOthers off\n${certificate}`, false],
    [certificate, false],
    [`MDBaseServer on\nServerName localhost.example\n${own}\nSSLEngine on`, true],
  ] as const) {
    const server = await site({
      modules: [authzCore, ssl, md],
      config: `MDInitialDelay 1h\nSSLCACertificateFile conf/ca.crt\n${config}`,
      files: authority.files('server.crt', 'server.key', 'ca.crt'),
    })
    t.equal(await staple(await server.listen()), isStapled ? 'good' : 'none', config)
    await server.close()
  }
})

/** What a client learns of the certificate. */
function staple(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false, requestOCSP: true })
    let response: Buffer | null = null
    socket.on('error', reject)
    socket.on('OCSPResponse', (der: Buffer | null) => {
      response = der
    })
    socket.on('secureConnect', () => {
      socket.destroy()
      resolve(statusIn(response))
    })
  })
}

function statusIn(der: Buffer | null): string {
  const response = der === null ? null : parseOcspResponse(der)
  if (response === null) return 'none'
  if (isMalformed(response)) return 'malformed'
  return response.basic === undefined ? `error ${response.status}` : response.basic.responses[0].status
}
