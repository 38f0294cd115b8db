import t from 'tap'
import { curlCommand } from '../src/curl-command.ts'
import { readQuestionUrl } from '../src/index.ts'
import { ask } from './support/policy-site.ts'

t.test('a URL specifies the target as written, the host and the port', async (t) => {
  t.same(readQuestionUrl('/a/../b?c=d'), {
    target: '/a/../b?c=d',
    host: 'localhost',
    localPort: null,
    isPortWritten: false,
    scheme: null,
  })
  t.same(readQuestionUrl('http://a.example/x'), {
    target: '/x',
    host: 'a.example',
    localPort: 80,
    isPortWritten: false,
    scheme: 'http',
  })
  t.same(readQuestionUrl('https://a.example'), {
    target: '/',
    host: 'a.example',
    localPort: 443,
    isPortWritten: false,
    scheme: 'https',
  })
  t.same(readQuestionUrl('http://a.example:8080?q'), {
    target: '/?q',
    host: 'a.example:8080',
    localPort: 8080,
    isPortWritten: true,
    scheme: 'http',
  })
  t.match(readQuestionUrl('a.example/x'), /is not a URL/)
  t.match(readQuestionUrl('/a\r\nX: y'), /must not contain line ends/)
})

t.test('a question can be sent with curl', async (t) => {
  t.equal(curlCommand(ask({ client: '10.0.0.1' })), 'curl -i http://localhost/index.html')
  t.equal(
    curlCommand(
      ask({
        method: 'POST',
        target: "/it's?a=b&c",
        localPort: 8080,
        credentials: { user: 'bob', password: 'secret' },
        headers: [
          ['X-A', 'b c'],
          ['authorization', 'Basic Ym9iOmJvYnB3'],
        ],
      }),
    ),
    "curl -i -X POST --interface 127.0.0.1 --anyauth -u bob:... -H 'X-A: b c' -H 'authorization: ...' 'http://localhost:8080/it'\\''s?a=b&c'",
  )
})

t.test('a question with TLS becomes a command with the same certificate, version and names', async (t) => {
  const certificate = { file: 'alice.pem', pem: 'secret' }
  const tls = { serverName: 'localhost', version: 'TLSv1.2', ciphers: null, certificate } as const
  t.equal(
    curlCommand(ask({ client: '10.0.0.1', localPort: 443, tls })),
    'curl -i --tlsv1.2 --tls-max 1.2 --cert alice.pem https://localhost/index.html',
  )
  t.equal(
    curlCommand(
      ask({ client: '10.0.0.1', localPort: 8443, tls: { ...tls, serverName: 'other.test', version: null, certificate: null } }),
    ),
    "curl -i -H 'Host: localhost' https://other.test:8443/index.html",
  )
})
