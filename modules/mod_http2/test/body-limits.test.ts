import { connect, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from 'node:http2'
import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import reflector from '../../mod_reflector/src/index.ts'
import http2 from '../src/index.ts'

t.test('a body of a stream that exceeds LimitRequestBody is refused, whether its length is stated or not', async (t) => {
  const server = await site({
    modules: [authzCore, http2, reflector],
    config: 'Protocols h2c http/1.1\nLimitRequestBody 10\n<Location "/reflect">\nSetHandler reflector\n</Location>',
  })
  t.teardown(() => server.close())
  const session = connect(`http://127.0.0.1:${await server.listen()}`)
  t.teardown(() => session.destroy())
  const post = async (body: string, isStated: boolean): Promise<string> => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/reflect',
      ...(isStated && { 'content-length': String(body.length) }),
    })
    let head: IncomingHttpHeaders & IncomingHttpStatusHeader = {}
    let text = ''
    stream.on('response', (received) => {
      head = received
    })
    stream.setEncoding('latin1').on('data', (part: string) => {
      text += part
    })
    stream.on('error', () => {})
    // The last bytes and the end of the stream arrive together.
    stream.end(body)
    await new Promise<void>((resolve) => stream.on('close', () => resolve()))
    return `${head[':status']} ${head[':status'] === 200 ? text : ''}`
  }
  for (const isStated of [true, false]) {
    t.equal(await post('0123456789', isStated), '200 0123456789')
    t.equal(await post('0123456789x', isStated), '413 ')
  }
  t.same(
    server.errors().filter((line) => line.includes(':crit]')),
    [],
  )
})
