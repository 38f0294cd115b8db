import { rawExchange, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../../modules/mod_authz_core/src/index.ts'
import setenvif from '../../../modules/mod_setenvif/src/index.ts'

/** The answer of a server with these hosts on one address to a raw request. */
async function exchange(t: Test, first: string, second: string, request: string): Promise<string> {
  const config = `RegisterHttpMethod BAR
<VirtualHost *>
ServerName first.test
${first}
</VirtualHost>
<VirtualHost *>
ServerName second.test
${second}
</VirtualHost>`
  const server = await site({ modules: [authzCore, setenvif], config, files: { 'docs/f': 'f' } })
  t.teardown(() => server.close())
  return rawExchange(await server.listen(), request)
}

const asked = (method: string, host: string): string => `${method} /f HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`

const REGISTERED = 'HttpProtocolOptions RegisteredMethods'

t.test('the first host of an address decides about unregistered methods, for all its names', async (t) => {
  for (const host of ['first.test', 'second.test', 'second.test:99999']) {
    const answer = await exchange(t, REGISTERED, '', asked('FOO', host))
    t.match(answer, /^HTTP\/1\.1 501 Not Implemented\r\n/, host)
    t.match(answer, /^Allow: TRACE\r$/m, host)
  }
  t.notMatch(await exchange(t, REGISTERED, '', asked('BAR', 'first.test')), /^HTTP\/1\.1 501/)
})

t.test('the setting of a host that is selected by name does not apply to methods', async (t) => {
  const answer = await exchange(t, '', REGISTERED, asked('FOO', 'second.test'))
  t.notMatch(answer, /^Allow: TRACE\r$/m)
})

t.test('nothing is read after the line of a method that is refused', async (t) => {
  const answer = await exchange(t, REGISTERED, '', 'FOO /f HTTP/1.1\r\nnot a field\r\n\r\nGET /f HTTP/1.1\r\nHost: x\r\n\r\n')
  t.strictSame(answer.match(/^HTTP\/1\.1 \d+/gm), ['HTTP/1.1 501'])
})

t.test('a request of HTTP/0.9 is answered by the host that its target names', async (t) => {
  const answer = await exchange(t, '', 'ServerSignature On\nUseCanonicalName On', 'GET http://second.test/none\r\n\r\n')
  t.match(answer, 'Server at second.test')
})

const variable = (name: string): string => `SetEnvIf Request_URI . ${name}`
const KEEP = (version: string): string =>
  `GET /none ${version}\r\nHost: first.test\r\nConnection: keep-alive\r\nVia: 1.1 x\r\n\r\nGET /none ${version}\r\nHost: first.test\r\nConnection: close\r\n\r\n`

/** A variable, the version of two requests on one connection, and the status lines of the answers. */
const VERSIONS: readonly (readonly [name: string, version: string, answers: readonly string[]])[] = [
  ['force-response-1.0', 'HTTP/1.0', ['HTTP/1.0 404']],
  ['force-response-1.0', 'HTTP/1.1', ['HTTP/1.1 404', 'HTTP/1.1 404']],
  ['downgrade-1.0', 'HTTP/1.0', ['HTTP/1.1 404', 'HTTP/1.1 404']],
  ['force-no-vary', 'HTTP/1.1', ['HTTP/1.0 404']],
  ['force-no-vary', 'HTTP/1.0', ['HTTP/1.0 404']],
  ['downgrade-1.0 force-response-1.0', 'HTTP/1.1', ['HTTP/1.0 404']],
  ['nokeepalive', 'HTTP/1.1', ['HTTP/1.1 404', 'HTTP/1.1 404']],
]

for (const [name, version, answers] of VERSIONS) {
  t.test(`with ${name} two requests of ${version} from a proxy are answered by ${answers.join(', ')}`, async (t) => {
    const text = await exchange(t, variable(name), '', KEEP(version))
    t.strictSame(text.match(/^HTTP\/1\.\d \d+/gm), answers)
  })
}

t.test('downgrade-1.0 ends the connection of a client that does not request persistence', async (t) => {
  const request = 'GET /none HTTP/1.1\r\nHost: first.test\r\n\r\nGET /none HTTP/1.1\r\nHost: first.test\r\n\r\n'
  const text = await exchange(t, variable('downgrade-1.0'), '', request)
  t.strictSame(text.match(/^HTTP\/1\.\d \d+|^Connection: close/gm), ['HTTP/1.1 404', 'Connection: close'])
})
