import { connect } from 'node:tls'
import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import ssl from '../src/index.ts'
import { fixtures } from './support.ts'

/** The status of a request for one host on a connection to another. */
function statusOf(port: number, serverName: string, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, servername: serverName, rejectUnauthorized: false }, () =>
      socket.write(`GET /f.txt HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    )
    let text = ''
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text.slice(9, 12)))
  })
}

t.test('hosts share connections if their settings mean the same, however they are written', async (t) => {
  const host = (name: string, line = ''): string => `<VirtualHost *>\nServerName ${name}\nSSLEngine on\n${line}\n</VirtualHost>`
  const server = await site({
    modules: [authzCore, ssl],
    config: [
      'SSLCertificateFile conf/localhost.crt\nSSLCertificateKeyFile conf/localhost.key',
      host('plain.test'),
      host('all.test', 'SSLProtocol all'),
      host('most.test', 'SSLProtocol all -TLSv1.2'),
    ].join('\n'),
    files: { 'docs/f.txt': 'x', ...fixtures('localhost.crt', 'localhost.key') },
  })
  t.teardown(() => server.close())
  const port = await server.listen()
  t.equal(await statusOf(port, 'plain.test', 'all.test'), '200')
  t.equal(await statusOf(port, 'all.test', 'plain.test'), '200')
  t.equal(await statusOf(port, 'plain.test', 'most.test'), '421')
})
