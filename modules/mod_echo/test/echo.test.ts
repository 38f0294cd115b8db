import { once } from 'node:events'
import { connect } from 'node:net'
import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
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
