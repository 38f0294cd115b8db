import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { site } from '@gatewright/testing'
import { issueAuthority, pemText } from '@gatewright/x509'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import ssl from '../../mod_ssl/src/index.ts'
import echo from '../src/index.ts'

t.test('everything that a client sends comes back, and the connection ends with the client', async (t) => {
  const server = await site({ modules: [authzCore, echo], config: 'ProtocolEcho On' })
  t.teardown(() => server.close())
  const port = await server.listen()
  const sent = `GET / HTTP/1.1\r\n\r\n${'x'.repeat(300_000)}`
  const received = await new Promise<string>((resolve, reject) => {
    const client = connect(port, '127.0.0.1', () => client.end(sent))
    let text = ''
    client.setEncoding('latin1')
    client.on('data', (part: string) => {
      text += part
    })
    client.on('end', () => resolve(text))
    client.on('error', reject)
  })
  t.ok(received === sent)
})

t.test('a client that is silent for Timeout is disconnected', async (t) => {
  const server = await site({ modules: [authzCore, echo], config: 'ProtocolEcho On\nTimeout 1' })
  t.teardown(() => server.close())
  const client = connect(await server.listen(), '127.0.0.1', () => client.write('x'))
  t.teardown(() => client.destroy())
  client.on('error', () => undefined)
  await once(client, 'data')
  await once(client, 'close')
  t.pass('the server has closed the connection')
})

t.test('a server without the directive speaks HTTP', async (t) => {
  const server = await site({ modules: [authzCore, echo], files: { 'docs/f.txt': 'f' } })
  t.teardown(() => server.close())
  t.equal((await server.inject('/f.txt')).body, 'f')
})

for (const modules of [
  [authzCore, ssl, echo],
  [authzCore, echo, ssl],
]) {
  const order = modules.indexOf(ssl) < modules.indexOf(echo) ? 'before' : 'after'
  t.test(`a secured server echoes what was decrypted, with mod_ssl loaded ${order} this module`, async (t) => {
    const server = await site({
      modules,
      files: certificateFiles(),
      config: 'ProtocolEcho On\nSSLEngine on\nSSLCertificateFile c.pem\nSSLCertificateKeyFile k.pem',
    })
    t.teardown(() => server.close())
    const client = connectSecurely({ port: await server.listen(), host: '127.0.0.1', rejectUnauthorized: false })
    t.teardown(() => client.destroy())
    await once(client, 'secureConnect')
    client.write('GET / HTTP/1.1\r\n\r\n')
    const [part] = await once(client, 'data')
    t.equal(String(part), 'GET / HTTP/1.1\r\n\r\n')
  })
}

/** A certificate that is signed with its own key, and the key. */
function certificateFiles(): Record<string, string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const day = 86_400_000
  const der = issueAuthority({
    subject: [['CN', 'localhost']],
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + day),
    serial: Uint8Array.of(1),
    key: privateKey,
  })
  return {
    'c.pem': pemText('CERTIFICATE', der),
    'k.pem': pemText('PRIVATE KEY', privateKey.export({ type: 'pkcs8', format: 'der' })),
  }
}
