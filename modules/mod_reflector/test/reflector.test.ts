import { rawExchange, site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import reflector from '../src/index.ts'

const config = `SetHandler reflector
ReflectorHeader X-One
ReflectorHeader X-Two X-Renamed
<Location /limited>
LimitRequestBody 5
</Location>`

t.test('a body is sent back with its type and the named fields', async (t) => {
  const server = await site({ modules: [authzCore, reflector], config })
  t.teardown(() => server.close())
  const headers = { 'X-One': '1', 'X-Two': '2', 'X-Three': '3', 'Content-Type': 'text/odd' }
  const { body, status, header } = await server.inject({ method: 'POST', target: '/', headers, body: 'text' })
  t.match({ body, status }, { body: 'text', status: 200 })
  t.strictSame(['X-One', 'X-Renamed', 'X-Three', 'Content-Type'].map(header), ['1', '2', undefined, 'text/odd'])
})

t.test('only POST is allowed', async (t) => {
  const server = await site({ modules: [authzCore, reflector], config })
  t.teardown(() => server.close())
  t.equal((await server.inject('/')).status, 405)
  const options = await server.inject({ method: 'OPTIONS', target: '/' })
  t.equal(options.status, 200)
  t.equal(options.header('Allow'), 'OPTIONS,POST,TRACE')
})

t.test('a body that is refused at its beginning is answered with the status', async (t) => {
  const server = await site({ modules: [authzCore, reflector], config })
  t.teardown(() => server.close())
  const { status } = await server.inject({ method: 'POST', target: '/limited', body: '123456' })
  t.equal(status, 413)
})

t.test('a body of any length comes back as it was sent', async (t) => {
  const server = await site({ modules: [authzCore, reflector], config })
  t.teardown(() => server.close())
  const port = await server.listen()
  const body = '0123456789'.repeat(100_000)
  const response = await rawExchange(port, `POST / HTTP/1.0\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  t.equal(response.slice(response.indexOf('\r\n\r\n') + 4), body)
})
